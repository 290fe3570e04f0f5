/* What came of sending a transaction. */

/** What the service responded with last. All are missing if it didn't respond. */
export interface LastResponse {
	status?: number;
	/** Those that help support, if there are any. */
	headers?: Record<string, unknown>;
	/** Cleaned and bounded. */
	body?: unknown;
	/** By which the service finds the request, from one of its headers. */
	requestId?: string;
}

/** The service took the transaction. */
export interface CreatedResult extends LastResponse {
	outcome: 'created';
	/** Whether it says that it recorded it. If not, it accepted it, and an event tells the rest. */
	isRecorded: boolean;
	message: string;
}

/** The service has recorded the event before. */
export interface DuplicateResult extends LastResponse {
	outcome: 'duplicate';
	message: string;
	fix: string;
	/** Whether an earlier attempt of this run of the node recorded it, or may have. */
	ownAttempt: boolean;
}

/** The service rejected it, nobody knows, or no attempt was processed. */
export interface SendFailure extends LastResponse {
	outcome: 'rejected' | 'unknown' | 'notSent';
	message: string;
	fix: string;
}

/** What became of a transaction. There is nothing else. */
export type Conclusion = CreatedResult | DuplicateResult | SendFailure;

/** The execution stopped or was canceled before anything was processed. It has no output item. */
export interface NotBegun {
	outcome: 'notBegun';
}
export const NOT_BEGUN: NotBegun = { outcome: 'notBegun' };

/** What the service's support asks for, beside the request ID. */
export interface AttemptLog {
	/** 0 if nothing was tried for the transaction. */
	attempts: number;
	/** When the last one started, in ms since the epoch; missing if there was none. */
	lastAttemptAt?: number;
	/** The Idempotency-Key that was sent, unless it's the Event ID. */
	idempotencyKey?: string;
}

/** What came of sending one transaction. */
export type SendResult = Conclusion & AttemptLog;

/**
 * Whether an item is a success. A duplicate is, unless the user wants to stop at it. One that this
 * run of the node recorded itself always is.
 */
export function isSuccess<R extends Conclusion>(
	result: R,
	onDuplicate: 'continue' | 'stop',
): result is Extract<R, CreatedResult | DuplicateResult> {
	if (result.outcome === 'duplicate') return onDuplicate === 'continue' || result.ownAttempt;
	return result.outcome === 'created';
}
