import type { SendFailure } from '../results';
import { evidenceOf, type EndedAttempt } from './EndedAttempt';
import {
	cannotBeSent,
	everyTokenRejected,
	nothingButAnswers,
	nothingDecided,
	tooLongPause,
} from './endings';

/** So many answers in a row that decide nothing are no coincidence. */
const MAX_ANSWERS = 20;
/** A service that rejects three tokens doesn't accept the client, or the transaction. */
export const MAX_REJECTED_TOKENS = 3;
/** Also with a short Max Retry Time: a bad moment of a service isn't its end. */
const MIN_PATIENCE_MS = 5000;

/** That nothing starts anymore, and why. */
export class Breaker {
	private hasDecided = false;

	/** In a row. */
	private answers = 0;

	private rejectedTokens = 0;

	/** Since `aliveAt`. */
	private failures = 0;

	private lastFailure: SendFailure | undefined;

	private end: SendFailure | undefined;

	/**
	 * @param maxRetryTime ms
	 * @param aliveAt when the service answered about a transaction last, or the list began
	 */
	constructor(
		private readonly maxRetryTime: number,
		private aliveAt: number,
	) {}

	learn({ attempt, endedAt, isFirst }: EndedAttempt): void {
		const evidence = evidenceOf(attempt);
		if (attempt.kind !== 'failure' || evidence === 'decision') {
			this.hasDecided = true;
			return this.countLife(endedAt);
		}
		const { result, tokenRejected } = attempt;
		if (evidence === 'answer' && this.hasDecided) return this.countLife(endedAt);
		if (evidence === 'answer' || evidence === 'elsewhere')
			return this.countAnswer(result, endedAt, isFirst);
		if (tokenRejected && !tokenRejected.counts) return;
		this.lastFailure = result;
		this.failures++;
		if (this.hasDecided) return;
		if (evidence === 'unusable') this.end = cannotBeSent(result);
		if (tokenRejected && ++this.rejectedTokens === MAX_REJECTED_TOKENS)
			this.end = everyTokenRejected(result);
	}

	private countLife(now: number): void {
		this.aliveAt = now;
		this.failures = 0;
		this.answers = 0;
	}

	/** @param isFirst a row can be tried again and again */
	private countAnswer(result: SendFailure, now: number, isFirst: boolean): void {
		if (isFirst && ++this.answers === MAX_ANSWERS)
			this.end = nothingButAnswers(result, this.answers);
		if (!this.hasDecided) return;
		this.aliveAt = now;
		this.failures = 0;
	}

	/**
	 * Returns the result of the transactions that haven't started, if nothing is to start anymore.
	 *
	 * @param pausedUntil when the next one could
	 */
	reasonToEnd(now: number, pausedUntil: number): SendFailure | undefined {
		const patience = Math.max(this.maxRetryTime, MIN_PATIENCE_MS);
		const pause = pausedUntil - now;
		const undecidedFor = now - this.aliveAt;
		// The service asked for it: a backoff isn't longer than MIN_PATIENCE_MS.
		if (pause > patience) this.end ??= tooLongPause(pause);
		// A single request can take longer than Max Retry Time.
		else if (this.failures > 1 && undecidedFor >= patience)
			this.end ??= nothingDecided(undecidedFor, this.lastFailure!);
		return this.end;
	}
}
