/* What came of sending a transaction. */

/** What the service responded with last. All are missing if it didn't respond. */
export interface LastResponse {
	status?: number;
	/** Those that help support, if there are any. */
	headers?: Record<string, unknown>;
	/** Cleaned and bounded. */
	body?: unknown;
}

/** The service accepted the transaction. */
export interface CreatedResult extends LastResponse {
	outcome: 'created';
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

/** The service rejected it, nobody knows, or the service never received it. */
export interface SendFailure extends LastResponse {
	outcome: 'rejected' | 'unknown' | 'notSent';
	message: string;
	fix: string;
}

/** What came of sending one transaction. There are no other results. */
export type SendResult = CreatedResult | DuplicateResult | SendFailure;

/**
 * Whether an item is a success. A duplicate is, unless the user wants to stop at it. One that this
 * run of the node recorded itself always is.
 */
export function isSuccess(
	result: SendResult,
	onDuplicate: 'continue' | 'stop',
): result is CreatedResult | DuplicateResult {
	if (result.outcome === 'duplicate') return onDuplicate === 'continue' || result.ownAttempt;
	return result.outcome === 'created';
}
