import type { Evidence } from '../../shared/statuses';
import type { AttemptResult } from './response/readResponse';

/** An attempt that has ended, from which the policies learn. Times are in ms. */
export interface EndedAttempt {
	attempt: AttemptResult;
	startedAt: number;
	endedAt: number;
	/** Whether it was the first one for its transaction. */
	isFirst: boolean;
	/** 0, or which one it is of the setbacks since the last answer. */
	setback: number;
}

/** What an attempt shows of the service. */
export const evidenceOf = (attempt: AttemptResult): Evidence =>
	attempt.kind === 'failure' ? attempt.evidence : 'decision';
