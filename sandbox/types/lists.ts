export interface Page<T> {
	/** The newest first. */
	items: T[];
	/** How many there are without any filter. */
	total: number;
	/** Give it as `before` to get this very page again, whatever came in between. */
	from: number;
	/** Give it as `before` to get the following page; absent on the last one. */
	next?: number;
}

export interface PageQuery {
	limit?: number;
	before?: number;
}

export interface Counts {
	tokens: { requests: number; issued: number; rejected: number };
	transactions: {
		requests: number;
		inFlight: number;
		maxInFlight: number;
		created: number;
		duplicates: number;
		unauthorized: number;
		invalid: number;
		processing: number;
		responses: Record<string, number>;
		lost: number;
	};
	payments: number;
	events: { emitted: number; types: Record<string, number> };
	deliveries: {
		created: number;
		attempts: number;
		delivered: number;
		failed: number;
		pending: number;
		responses: Record<string, number>;
	};
}
