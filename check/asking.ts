import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { isCreated, isRecorded } from './reading';
import type { Exchange, Service } from './Service';

const YEAR_MS = 365 * 24 * 3_600_000;

/** No service takes it for an amount. */
export const NO_AMOUNT = 'not-a-number';

/** What the check sends, as clauses of the plan that the user agrees to. */
export const PLAN = [
	'token requests, one with a wrong secret',
	'a transaction',
	'one whose amount is no number, and then the same with the amount',
	'one that was created a year ago',
	'the first one with another amount, other times, and another reference, and unchanged',
	'a new one, twice at the same time',
	'a new one, and exactly the same again, as after a lost response',
	'a new one with the Idempotency-Key of the first one, and with its own',
	'the first one with an invalid token',
	'two of them again after --wait',
	'if it fits only in part: all once more without Idempotency-Key',
];

/** Not everything was asked. Its message says why. */
export class EndedEarly extends Error {}

/**
 * Returns what was processed.
 *
 * @throws EndedEarly if it wasn't
 */
export function processed(exchange: Exchange): Exchange {
	const { says } = exchange;
	if (says.outcome !== 'notSent') return exchange;
	throw new EndedEarly(`${says.message}. Check again later`);
}

/** What was sent, by what it asks. */
export type Asked = Awaited<ReturnType<typeof askMore>>;

/**
 * Sends all but the first one. Refusals come first, so that an answer to a repeat can be told from
 * them.
 */
export async function askMore(service: Service, first: Exchange, waitMs: number) {
	const send = async (...args: Parameters<Service['sendWithRetries']>): Promise<Exchange> =>
		processed(await service.sendWithRetries(...args));
	const { transaction } = first;

	const valid = service.newTransaction();
	const invalid = await send({ ...valid, amount: NO_AMOUNT, baseAmount: NO_AMOUNT });
	const corrected = await send(valid);

	const past = await send(service.newTransaction(Date.now() - YEAR_MS));

	// Each differs in one thing, because a service can compare everything.
	const amount = `${transaction.amount.slice(0, -1)}${transaction.amount.endsWith('7') ? 8 : 7}`;
	const otherAmount = await send({ ...transaction, amount, baseAmount: amount });
	const now = Date.now();
	const otherTimes = await send({ ...transaction, externalCreatedAt: now, receivedAt: now });
	const reference = `${transaction.reference}, again`;
	const otherReference = await send({ ...transaction, reference });
	const same = await send(transaction);

	let atOnce = await askTwiceAtOnce();
	// The wait can have been long enough for two.
	if (atOnce.isLimited) atOnce = await askTwiceAtOnce();

	// The node sends the same again, without having the first answer.
	const unseen = await send(service.newTransaction());
	const lost = { first: unseen, repeat: await send(unseen.transaction) };

	const otherKey = await askWithKeyOf(first);

	const token = randomBytes(24).toString('base64url');
	const wrongToken = processed(await service.send(transaction, { token }));

	await pause(Math.max(0, first.sentAt + waitMs - Date.now()));
	// Two, because what is the same in both answers isn't an ID of one.
	const later = [await send(transaction), await send(unseen.transaction)];

	return {
		...{ first, invalid, corrected, past, otherAmount, otherTimes, otherReference, same },
		...{ atOnce, lost, otherKey, wrongToken, later },
	};

	async function askTwiceAtOnce() {
		const twice = service.newTransaction();
		const sent = await Promise.all([service.send(twice), service.send(twice)]);
		const both = sent.map(processed);
		const [created, second] = isCreated(both[1]) ? both.reverse() : both;
		if (!isRecorded(second.says)) await pause(Math.min(1000, waitMs));
		const isLimited = service.wasLimited(twice);
		return { first: created, second, isLimited, after: await send(twice) };
	}

	/** Sends a new transaction with the key of another one, and then with its own. */
	async function askWithKeyOf({ key }: Exchange) {
		if (key === '') return undefined;
		const another = service.newTransaction();
		return { first: await send(another, { key }), repeat: await send(another) };
	}
}
