import type { AttemptResult } from './response/readResponse';
import type { Evidence } from './response/statusRow';

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

/** Whether a limit of requests is reached (RFC 6585, section 4). */
export const isRateLimited = (attempt: AttemptResult): boolean =>
	attempt.kind === 'failure' && attempt.result.status === 429;

/** Counts the round trips in which attempts failed, since the last answer. */
export class Setbacks {
	private failures = 0;

	private count = 0;

	private lastAt = -Infinity;

	/** Adds to an attempt which setback it is. */
	read(ended: Omit<EndedAttempt, 'setback'>): EndedAttempt {
		return { ...ended, setback: this.numberOf(ended) };
	}

	private numberOf({ attempt, startedAt, endedAt }: Omit<EndedAttempt, 'setback'>): number {
		const evidence = evidenceOf(attempt);
		if (evidence === 'token') return 0;
		if (attempt.kind !== 'failure' || (evidence !== 'overload' && evidence !== 'unusable')) {
			this.failures = 0;
			this.count = 0;
			return 0;
		}
		this.failures++;
		// One among decisions is bad luck, unless the service states a limit.
		const isStated = attempt.waitMs !== undefined || isRateLimited(attempt);
		if (this.failures === 1 && !isStated) return 0;
		// What started before the last setback is part of it.
		if (startedAt < this.lastAt) return 0;
		this.lastAt = endedAt;
		return ++this.count;
	}
}
