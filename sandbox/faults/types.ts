/** The words of `Faults` in `openapi.yaml` as types. Shares go from 0 to 1. */

/** Milliseconds; a number, or the two ends of a range. */
export type Latency = number | [number, number];

/** What can go wrong with one answer; those after `processed` come once the request was carried out. */
export type FaultName =
	| 'reset'
	| 'close'
	| 'hang'
	| 'garbage'
	| 'halfHeaders'
	| 'dropAfter'
	| 'hangAfter'
	| 'halfBody'
	| 'emptyBody'
	| 'notJson'
	| 'html'
	| 'wrongContentType'
	| 'brokenGzip';

/** One answer that is given instead of the right one. */
export interface FaultResponse {
	status?: number;
	/** JSON, or a text that is sent as it is. Without it, the usual body of the status. */
	body?: unknown;
	headers?: Record<string, string>;
	/** Seconds. */
	retryAfter?: number;
	retryAfterFormat?: 'seconds' | 'date';
	/** Whether the request is carried out before it is answered like this. */
	processed?: boolean;
	fault?: FaultName;
	latencyMs?: Latency;
}

export interface NextResponse extends FaultResponse {
	on?: 'transactions' | 'token';
	times?: number;
}

export interface DeliveryFaults {
	doubled: number;
	tripled: number;
	shuffled: number;
	shuffleMs: number;
	delayed: number;
	delayMs: number;
	concurrency: number;
}

/** The faults in force. */
export interface Faults {
	seed: number;
	statuses: Array<FaultResponse & { status: number; rate: number }>;
	dropResponses: number;
	resetConnections: number;
	failAfterRecording: number;
	rejectDuplicateExternalIds: boolean;
	transactionsNotFound: boolean;
	latencyMs: Latency;
	next: NextResponse[];
	token: FaultResponse & { noRefreshToken?: boolean };
	strictScope: boolean;
	/** Tokens are revoked each time so many transactions were created. */
	revokeTokens: false | { every: number };
	deliveries: DeliveryFaults;
	retries: { attempts: number; intervalMs: number };
	processingMs: number;
}

/** What can be asked for: faults, and three things that happen at once and are not kept. */
export interface FaultRequest
	extends Partial<Omit<Faults, 'deliveries' | 'retries' | 'revokeTokens'>> {
	deliveries?: Partial<DeliveryFaults>;
	retries?: Partial<Faults['retries']>;
	/** true: all tokens now. */
	revokeTokens?: boolean | { every: number };
	/** true: all tokens now. */
	expireTokens?: boolean;
	/** The sandbox stops listening for this long. */
	refuseConnections?: { ms: number };
}
