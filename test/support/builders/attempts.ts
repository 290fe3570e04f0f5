import type { SendFailure } from '../../../nodes/Payments/results';
import type { Attempt } from '../../../nodes/Payments/sending/Throttle';
import { MEANINGS, type Answer, type Says } from '../../../nodes/Payments/sending/answer/Says';
import type { RejectedToken } from '../../../nodes/shared/token/ClientToken';

/* Answers, and attempts that have ended, for what learns from them. */

export const created: Answer = {
	says: 'success',
	shows: 'decision',
	isSentAgain: false,
	taken: { outcome: 'created', isRecorded: true, message: 'Created' },
};
export const recorded: Answer = {
	says: 'recorded',
	shows: 'decision',
	isSentAgain: false,
	taken: { outcome: 'duplicate', message: 'Duplicate', fix: 'The fix.', ownAttempt: false },
};

/** An answer that means what the table says. What is sent again only if allowed isn't. */
export function failed(says: Says, status?: number, more: Partial<Answer> = {}): Answer {
	const { outcome, shows, again } = MEANINGS[says];
	const failure = {
		outcome: outcome as SendFailure['outcome'],
		message: `It ended with ${status ?? shows}`,
		fix: 'The fix.',
		status,
	};
	return { says, shows, isSentAgain: again === 'yes', failure, ...more } as Answer;
}

export const limited = (waitMs?: number) => failed('limit', 429, { waitMs });
export const unavailable = (waitMs?: number) => failed('unavailable', 503, { waitMs });
export const refused = failed('notSent');
export const lost = failed('noAnswer');
export const unusable = failed('cannotBeSent');
export const declined = failed('refused', 422);
export const inProgress = failed('inProgress', 409);
export const notFound = failed('noSuchPath', 404);
export const redirected = failed('seeOther', 302);
export const tokenRejected = (rejected: Partial<RejectedToken> = {}) =>
	failed('unauthorized', 401, {
		rejectedToken: { counts: true, isProven: false, waitMs: 0, ...rejected },
	});

/** An attempt that took no time, unless it is said otherwise. */
export const ended = (answer: Answer, endedAt = 0, more: Partial<Attempt> = {}): Attempt => ({
	answer,
	startedAt: endedAt,
	endedAt,
	number: 1,
	...more,
});
