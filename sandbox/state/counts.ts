import type { Counts } from '../types';

/** Creates a set of counts. `openapi.yaml` describes each. */
export const noCounts = (): Counts => ({
	requests: { failed: 0 },
	tokens: { requests: 0, issued: 0 },
	transactions: {
		requests: 0,
		inFlight: 0,
		created: 0,
		duplicates: 0,
		unauthorized: 0,
		processing: 0,
		responses: {},
		lost: 0,
	},
	events: { emitted: 0 },
	deliveries: { created: 0, attempts: 0, delivered: 0, failed: 0, pending: 0, responses: {} },
});

/** Adds one to the count of `key`. */
export const tally = (counts: Record<string, number>, key: string | number) => {
	counts[key] = (counts[key] ?? 0) + 1;
};
