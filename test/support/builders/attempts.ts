import type { EndedAttempt } from '../../../nodes/Payments/sending/EndedAttempt';
import type { FailedAttempt } from '../../../nodes/Payments/sending/response/readResponse';
import type { SendFailure } from '../../../nodes/Payments/results';
import type { RejectedToken } from '../../../nodes/shared/token/ClientToken';

/* Attempts that have ended, for what learns from them. */

export const created = {
	kind: 'created' as const,
	result: { outcome: 'created' as const, message: 'Created' },
};

const failed = (
	outcome: SendFailure['outcome'],
	evidence: FailedAttempt['evidence'],
	more: Partial<FailedAttempt> & { status?: number } = {},
): FailedAttempt => {
	const { status, ...rest } = more;
	const result = {
		outcome,
		message: `It ended with ${status ?? evidence}`,
		fix: 'The fix.',
		status,
	};
	return { kind: 'failure', result, evidence, retryable: false, ...rest };
};

const RETRYABLE = { retryable: true };
export const limited = (waitMs?: number) =>
	failed('notSent', 'overload', { ...RETRYABLE, status: 429, waitMs });
export const unavailable = (waitMs?: number) =>
	failed('unknown', 'overload', { ...RETRYABLE, status: 503, waitMs });
export const refused = failed('notSent', 'overload', RETRYABLE);
export const lost = failed('unknown', 'overload');
export const unusable = failed('notSent', 'unusable', RETRYABLE);
export const declined = failed('rejected', 'decision', { status: 422 });
export const inProgress = failed('unknown', 'decision', { ...RETRYABLE, status: 409 });
export const notFound = failed('rejected', 'answer', { status: 404 });
export const redirected = failed('unknown', 'elsewhere', { status: 302 });
export const tokenRejected = (rejected: Partial<RejectedToken> = {}) =>
	failed('rejected', 'token', {
		...RETRYABLE,
		status: 401,
		tokenRejected: { counts: true, isProven: false, waitMs: 0, ...rejected },
	});

/** An attempt that took no time, unless it is said otherwise. */
export const ended = (
	attempt: EndedAttempt['attempt'],
	endedAt = 0,
	more: Partial<EndedAttempt> = {},
): EndedAttempt => ({ attempt, startedAt: endedAt, endedAt, isFirst: true, setback: 0, ...more });
