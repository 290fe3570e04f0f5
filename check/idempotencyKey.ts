import type { Check } from './Check';
import { canHaveCode, readAttempt } from './reading';
import { describeAnswer } from './report';
import { testTransaction, type Exchange } from './Service';

/* What a service makes of the header Idempotency-Key (docs/interface.md, 10.8). */

const FIELD = 'Payments API → Send Idempotency-Key Header';

/**
 * Sends a transaction with the key of another one. If the invalid one was taken, or the corrected
 * one wasn't created, sends without a key what tells whether that is because of the key.
 */
export async function askAboutKey(check: Check): Promise<void> {
	const { asked, service, setup } = check;
	if (!setup.credential.sendIdempotencyKey) return;
	const [first, lost] = [asked.first!, asked.lost!.first];
	const transaction = testTransaction(setup);
	const key = service.keyOf(first.transaction);
	const other = await service.sendWithRetries(transaction, { key });
	asked.otherKey = { first: other, repeat: await service.sendWithRetries(transaction) };
	if (isNothingKept(check)) return;
	const sendWithout = async (exchange: Exchange) =>
		await service.sendWithRetries(exchange.transaction, { key: '' });
	asked.withoutKey = {
		corrected: asked.corrected!.key ? await sendWithout(asked.corrected!) : asked.corrected!,
		repeats: [await sendWithout(first), await sendWithout(lost)],
	};
}

/** Whether the service declined the invalid one, and then created the corrected one. */
function isNothingKept({ asked }: Check): boolean {
	const outcomeOf = (exchange?: Exchange) => readAttempt(exchange!, '').says.outcome;
	return outcomeOf(asked.invalid) !== 'created' && outcomeOf(asked.corrected) === 'created';
}

/** Whether only the key keeps the corrected one from being created, and no repeat needs it. */
export function mustGo(check: Check): boolean {
	const { first, lost, withoutKey } = check.asked;
	return (
		isKeptByKey(check) &&
		[first!, lost!.first].every((one, index) => check.isRecognized(one, withoutKey!.repeats[index]))
	);
}

const isKeptByKey = ({ asked: { invalid, corrected, withoutKey } }: Check): boolean =>
	invalid!.says.outcome !== 'created' &&
	corrected!.says.outcome !== 'created' &&
	withoutKey?.corrected.says.outcome === 'created';

/** Whether the service reads the key. `undefined` if its answers don't say so. */
function isRead(check: Check): boolean | undefined {
	const { first, otherKey } = check.asked;
	if (isKeptByKey(check)) return true;
	const { first: other, repeat } = otherKey!;
	const { outcome } = other.says;
	if (outcome !== 'created') return outcome === 'duplicate' || canHaveCode(other) || undefined;
	const compared = check.compare(first!, other);
	if (compared !== 'notKnown') return compared === 'same';
	// It was recorded although its key was known.
	return check.isRecognized(other, repeat) ? false : undefined;
}

/** Says what the key does, and whether to turn it off. */
export function concludeKey(check: Check): void {
	const { corrected, otherKey, withoutKey } = check.asked;
	if (!otherKey) return check.note("The header isn't sent, because --no-idempotency-key was given");
	const { outcome } = corrected!.says;
	if (mustGo(check))
		return check.find({
			kind: 'set',
			field: FIELD,
			value: 'off',
			text: `With Idempotency-Key, a row that was refused ends as ${outcome} when it's corrected: ${describeAnswer(corrected!)}. Without it, the row is created, and a repeat is recognized: ${describeAnswer(withoutKey!.repeats[0])}. Check again with --no-idempotency-key`,
		});
	check.note(
		`Another transaction with the key of the first one got ${describeAnswer(otherKey.first)}`,
	);
	const leave = "Leave 'Send Idempotency-Key Header' on";
	if (isKeptByKey(check))
		return check.toKnow(
			`${leave}, although the service repeats a refusal because of it. Without it, a corrected row is created, but a repeat may count twice: ${describeAnswer(withoutKey!.repeats[0])}`,
		);
	if (outcome !== 'created') check.note(`Without the key, a corrected row ends as ${outcome}, too`);
	const read = isRead(check);
	if (read === undefined) check.toKnow(`${leave}. Whether the service reads it isn't known`);
	else if (read) check.toKnow(`${leave}: the service reads it, so it recognizes a repeat by it`);
	else check.toKnow(`${leave}: the service doesn't read it, and it does no harm`);
}
