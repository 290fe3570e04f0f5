/* What came of sending a transaction, and how much of it the node puts out. */

/** What the service says about one field. */
export interface Warning {
	position: string;
	issue: string;
}

/** The service accepted the transaction. */
export interface CreatedResult {
	outcome: 'created';
	message: string;
	status: number;
	body: unknown;
}

/** The service has recorded the event before. */
export interface DuplicateResult {
	outcome: 'duplicate';
	message: string;
	fix: string;
	status: number;
	errorCode?: string;
	warnings?: Warning[];
	/** Whether an earlier attempt of this run of the node recorded it, or may have. */
	ownAttempt: boolean;
}

/** The service rejected it, nobody knows, or the service never received it. */
export type FailureOutcome = 'rejected' | 'unknown' | 'notSent';

/** The transaction isn't recorded, or nobody knows. */
export interface SendFailure {
	outcome: FailureOutcome;
	message: string;
	fix: string;
	status?: number;
	errorCode?: string;
	warnings?: Warning[];
}

/** What came of sending one transaction. There are no other results. */
export type SendResult = CreatedResult | DuplicateResult | SendFailure;

/** Whether the service has the transaction. */
export const isRecorded = (result: SendResult): result is CreatedResult | DuplicateResult =>
	result.outcome === 'created' || result.outcome === 'duplicate';

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

/**
 * How much of each item the node puts out. Whatever it says, a failure has the status code of the
 * last response, if there was one.
 */
export type OutputSettings = { includeStatusCode?: boolean } & (
	| { mode: 'raw' | 'simplified' }
	| { mode: 'selectedFields'; fields: readonly string[] }
);
