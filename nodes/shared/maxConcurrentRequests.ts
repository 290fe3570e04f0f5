/** Of one run of the node, whether the number is learned or set by the user. */
export const MAX_CONCURRENT_REQUESTS = 200;
