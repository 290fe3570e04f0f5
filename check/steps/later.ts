import { setTimeout as pause } from 'node:timers/promises';

import { doesntFit, note, type Check, type Step } from '../Check';
import type { Exchange } from '../ServiceUnderTest';
import { testTransaction } from '../testTransaction';
import { describeAnswer } from '../words';
import { sendWithWrongToken } from './rejections';
import { meaningOf } from './transactions';

const FIRST_MS = 1000;

/** Times after the first transaction, each twice the one before, up to the last one. */
export function repeatTimes(waitMs: number): number[] {
	const times: number[] = [];
	for (let ms = FIRST_MS; ms < waitMs; ms *= 2) times.push(ms);
	return [...times, waitMs];
}

/** For how long the service knows an Event ID, as far as somebody who waits can see. */
export const later: Step = {
	title: 'The same again, later',
	sends: ({ waitMs }) =>
		`the first transaction again and again, until ${waitMs / 1000} s after the first time`,
	records: () => 0,
	async run(check) {
		if (check.seen.recordsAgain) return;
		const { waitMs } = check.setup;
		const { knownMs, forgotten } = await repeatUntil(check, check.first!, waitMs);
		if (!forgotten) {
			const seconds = (knownMs / 1000).toFixed(0);
			check.find({
				kind: 'fits',
				text: `After ${seconds} s, the answer to a repeat is still the same`,
				notKnown: `whether the service still recognizes an Event ID after 14 days. It did after ${seconds} s. Ask the provider (question 1). --wait SECONDS tries up to an hour.`,
			});
			return;
		}
		check.find(
			doesntFit(
				`it forgets an Event ID. ${((forgotten.sentAt - check.first!.sentAt) / 1000).toFixed(0)} s after the first request, a repeat got ${describeAnswer(forgotten)}. A payment that is retried then is made twice`,
			),
		);
		check.seen.forgetsAfterMs = knownMs || (await measureAnew(check));
	},
};

/**
 * For a service that had forgotten the first one by the first repeat, so nobody saw it known. That
 * repeat came early, so this takes no longer than what is announced.
 */
async function measureAnew(check: Check): Promise<number> {
	const another = (await check.service.sendWithRetries(testTransaction(check.setup))).at(-1)!;
	return (await repeatUntil(check, another, check.setup.waitMs)).knownMs;
}

/**
 * Sends a transaction again and again.
 *
 * @returns the repeat that was recorded again, and for how many ms it was known before
 */
async function repeatUntil(
	check: Check,
	first: Exchange,
	untilMs: number,
): Promise<{ knownMs: number; forgotten?: Exchange }> {
	let knownMs = 0;
	for (const ms of repeatTimes(untilMs)) {
		const waitMs = first.sentAt + ms - Date.now();
		if (waitMs < 0 && ms !== untilMs) continue;
		await pause(Math.max(0, waitMs));
		const repeat = (await check.service.sendWithRetries(first.transaction)).at(-1)!;
		if (await isForgotten(check, first, repeat)) return { knownMs, forgotten: repeat };
		knownMs = repeat.sentAt - first.sentAt;
	}
	return { knownMs };
}

/** Whether a repeat that was recognized before is taken for a new transaction. */
async function isForgotten(check: Check, first: Exchange, repeat: Exchange): Promise<boolean> {
	if (repeat.attempt.kind !== 'created') return false;
	const meaning = await meaningOf(check, first, repeat);
	return meaning !== 'replayed' && meaning !== check.repeatMeaning;
}

/** A token whose time is up, if that is within the time that the check takes. */
export const expiredToken: Step = {
	title: 'An expired token',
	sends: () => undefined,
	records: () => 0,
	async run(check) {
		const { firstToken, seen, first } = check;
		if (!firstToken || seen.rotatesTokens) return;
		const waitMs = firstToken.endsAt - Date.now();
		if (firstToken.endsAt > first!.sentAt + check.setup.waitMs) {
			check.find(note('Not tried: its time isn’t up yet'));
			return;
		}
		await pause(Math.max(0, waitMs) + 1000);
		await sendWithWrongToken(check, firstToken.bearerToken, 'An expired token');
	},
};
