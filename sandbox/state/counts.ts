import type { Counts } from '../types';

/** Creates a set of counts. `openapi.yaml` describes each. */
export const noCounts = (): Counts => ({
	clients: 0,
	endpoints: 0,
	tokens: { requests: 0, issued: 0, rejected: 0 },
	transactions: {
		requests: 0,
		inFlight: 0,
		maxInFlight: 0,
		created: 0,
		duplicates: 0,
		unauthorized: 0,
		invalid: 0,
		rejected: 0,
		processing: 0,
		responses: {},
		lost: 0,
	},
	payments: 0,
	// An event type can be any text, also the name of a member that every object inherits.
	events: { emitted: 0, types: Object.create(null) as Record<string, number> },
	deliveries: { created: 0, attempts: 0, delivered: 0, failed: 0, pending: 0, responses: {} },
});

/** Adds one to the count of `key`. */
export const tally = (counts: Record<string, number>, key: string | number) => {
	counts[key] = (counts[key] ?? 0) + 1;
};
