import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { isCreated, isRecorded } from './reading';
import type { Exchange, Service } from './Service';

const YEAR_MS = 365 * 24 * 3_600_000;

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
	'if the service keeps what it refused: three of them without a key, or all once more',
	'the first one with an invalid token',
	'two of them again after --wait',
];

/** What was sent to be answered, by what it asks. */
export type Asked = Awaited<ReturnType<typeof askMore>>;

/**
 * Sends all but the first one. Refusals come first, so that an answer to a repeat can be told from
 * them.
 */
export async function askMore(service: Service, first: Exchange, waitMs: number) {
	const send = service.sendWithRetries.bind(service);
	const { transaction } = first;

	const valid = service.newTransaction();
	const wrong = 'not-a-number';
	const invalid = await send({ ...valid, amount: wrong, baseAmount: wrong });
	// If that was taken, it's the Event ID that shows whether it's recorded, and not the key.
	const corrected = await send(valid, isCreated(invalid) ? { key: '' } : {});

	const past = await send(service.newTransaction(Date.now() - YEAR_MS));

	// Each differs in one thing, because a service can compare everything.
	const amount = `${transaction.amount.slice(0, -1)}${transaction.amount.endsWith('7') ? 8 : 7}`;
	const otherAmount = await send({ ...transaction, amount, baseAmount: amount });
	const now = Date.now();
	const otherTimes = await send({ ...transaction, externalCreatedAt: now, receivedAt: now });
	const reference = `${transaction.reference}, again`;
	const otherReference = await send({ ...transaction, reference });
	const same = await send(transaction);

	const twice = service.newTransaction();
	const both = await Promise.all([service.send(twice), service.send(twice)]);
	const [created, second] = isCreated(both[1]) ? both.reverse() : both;
	if (!isRecorded(second.says)) await pause(Math.min(1000, waitMs));
	const atOnce = { first: created, second, after: await send(twice) };

	// The node sends the same again, without having the first answer.
	const unseen = await service.send(service.newTransaction());
	const lost = { first: unseen, repeat: await send(unseen.transaction) };

	const key = await askAboutKey(service, { first, lost: unseen, invalid, corrected });

	const token = randomBytes(24).toString('base64url');
	const wrongToken = await service.send(transaction, { token });

	await pause(Math.max(0, first.sentAt + waitMs - Date.now()));
	// Two, because what is the same in both answers isn't an ID of one.
	const later = [await send(transaction), await send(unseen.transaction)];

	return {
		...{ first, invalid, corrected, past, otherAmount, otherTimes, otherReference, same },
		...{ atOnce, lost, ...key, wrongToken, later },
	};
}

/**
 * Sends a transaction with the key of another one. If the invalid one was taken, or the corrected
 * one wasn't created, sends without a key what tells whether that is because of the key.
 */
async function askAboutKey(
	service: Service,
	asked: Record<'first' | 'lost' | 'invalid' | 'corrected', Exchange>,
) {
	const { first, lost, invalid, corrected } = asked;
	const key = service.keyOf(first.transaction);
	if (key === '') return {};
	const transaction = service.newTransaction();
	const other = await service.sendWithRetries(transaction, { key });
	const otherKey = { first: other, repeat: await service.sendWithRetries(transaction) };
	if (!isCreated(invalid) && isCreated(corrected)) return { otherKey };
	const sendWithout = async (exchange: Exchange) =>
		await service.sendWithRetries(exchange.transaction, { key: '' });
	const withoutKey = {
		corrected: corrected.key === '' ? corrected : await sendWithout(corrected),
		repeats: [await sendWithout(first), await sendWithout(lost)],
	};
	return { otherKey, withoutKey };
}
