import type { Counts } from '../types';

/** A fresh set of counts; what they mean stands in `openapi.yaml`. */
export const noCounts = (): Counts => ({
	tokens: { requests: 0, issued: 0, rejected: 0 },
	transactions: {
		requests: 0,
		inFlight: 0,
		maxInFlight: 0,
		created: 0,
		duplicates: 0,
		unauthorized: 0,
		invalid: 0,
		processing: 0,
		responses: {},
		lost: 0,
	},
	payments: 0,
	events: { emitted: 0, types: {} },
	deliveries: { created: 0, attempts: 0, delivered: 0, failed: 0, pending: 0, responses: {} },
});

/** One more of `key`. */
export const tally = (counts: Record<string, number>, key: string | number) => {
	counts[key] = (counts[key] ?? 0) + 1;
};
