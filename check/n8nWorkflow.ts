/* In the bundle, all that the nodes' code takes from n8n-workflow: no n8n runs the check. */

export { setTimeout as sleep } from 'node:timers/promises';

export class UserError extends Error {}
