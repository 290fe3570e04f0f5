/** Ways to hand a transaction to the Payments node. */
export const OURS = ['item', 'dragged', 'expressions'] as const;
/**
 * What a user would take instead: the HTTP Request node in three ways, or a program of their own.
 */
export const HTTP_NODE = ['http-template', 'http-keyvalue', 'http-json'] as const;
export const CLIENTS = ['axios', 'undici'] as const;
export const AGAINST = [...HTTP_NODE, ...CLIENTS] as const;

export type Ours = (typeof OURS)[number];
export type Client = (typeof CLIENTS)[number];
export type Against = (typeof AGAINST)[number];
/** Fixed values of Max Concurrent Requests that automatic concurrency is compared with. */
export const FIXED = ['item-20', 'item-50', 'item-100', 'item-200'] as const;

/**
 * `item-default`: as item, with the node's own options (automatic concurrency). `item-next`: the
 * execution after it.
 * `item-per-second`: with the rate that the service takes.
 */
export const AUTOMATIC = ['item-default', 'item-next', 'item-per-second'] as const;
export type NodeSubject =
	| Ours
	| (typeof AUTOMATIC)[number]
	| (typeof FIXED)[number]
	| (typeof HTTP_NODE)[number];
export type Subject = NodeSubject | Client;

export const isAutomatic = (subject: Subject): boolean =>
	(AUTOMATIC as readonly Subject[]).includes(subject);

export const isClient = (subject: Subject): subject is Client =>
	(CLIENTS as readonly Subject[]).includes(subject);

/**
 * Requests of the Payments node and of the programs that may be under way at a time. The HTTP
 * Request node sends all at once.
 */
export const PARALLEL = 100;

/** Requests per second that the service with a rate limit takes. */
export const RATE_PER_SECOND = 50;
