/**
 * Says who sends a request, so that a service sees in its log which version of this package its
 * customers use. Each request has it. A test compares the version with that of package.json, which
 * isn't in reach of what ships.
 */
export const USER_AGENT = { 'User-Agent': 'n8n-nodes-payments/1.0.0' } as const;
