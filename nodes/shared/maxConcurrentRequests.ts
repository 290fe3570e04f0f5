/** Requests that the node has in flight at most, whether it finds the number out or the user sets it. */
export const MAX_CONCURRENT_REQUESTS = 200;
