import type { Check } from './Check';
import { canHaveCode, isCreated } from './reading';
import { describeAnswer } from './report';
import { verdictOf } from './verdict';

/* What a service makes of the header Idempotency-Key (docs/interface.md, 10.8). */

const FIELD = 'Payments API → Send Idempotency-Key Header';

const LEAVE = "Leave 'Send Idempotency-Key Header' on";

/** Whether only the key keeps a corrected row from being created. */
export function isKeptByKey({ asked }: Check): boolean {
	const { invalid, corrected, withoutKey } = asked!;
	const isKept = !isCreated(invalid) && !isCreated(corrected);
	return isKept && withoutKey !== undefined && isCreated(withoutKey.corrected);
}

/** Whether the service reads the key. `undefined` if its answers don't say so. */
function isRead(check: Check): boolean | undefined {
	const { first, otherKey } = check.asked!;
	const { first: other, repeat } = otherKey!;
	const { outcome } = other.says;
	if (outcome !== 'created') return outcome === 'duplicate' || canHaveCode(other) || undefined;
	const compared = check.compare(first, other);
	if (compared !== 'notKnown') return compared === 'same';
	// It was recorded although its key was known.
	return check.isRecognized(other, repeat) ? false : undefined;
}

/** Says what the key does. */
export function concludeKey(check: Check): void {
	const { corrected, otherKey } = check.asked!;
	if (!otherKey) return check.note("The header isn't sent");
	check.note(
		`Another transaction with the key of the first one got ${describeAnswer(otherKey.first)}`,
	);
	// It's decided when the service is checked without the key, too.
	if (isKeptByKey(check)) return;
	const { outcome } = corrected.says;
	if (outcome !== 'created') check.note(`Without the key, a corrected row ends as ${outcome}, too`);
	const read = isRead(check);
	if (read === undefined) check.toKnow(`${LEAVE}. Whether the service reads it isn't known`);
	else if (read) check.toKnow(`${LEAVE}: the service reads it, so it recognizes a repeat by it`);
	else check.toKnow(`${LEAVE}: the service doesn't read it, and it does no harm`);
}

/** Decides between two checks of a service whose key keeps a corrected row from being created. */
export function chooseByKey(withKey: Check, withoutKey: Check): Check {
	const { corrected } = withKey.asked!;
	const because = `With the key, a row that was refused ends as ${corrected.says.outcome} when it's corrected: ${describeAnswer(corrected)}`;
	const fits = verdictOf(withoutKey.findings).startsWith('fits');
	const chosen = fits ? withoutKey : withKey;
	chosen.service.sent.push(...(fits ? withKey : withoutKey).service.sent);
	chosen.title = 'Idempotency-Key';
	if (!fits) chosen.toKnow(`${LEAVE}: without it, the service isn't known to fit. ${because}`);
	else {
		const text = `${because}. All other answers here are those without the key`;
		chosen.find({ kind: 'set', field: FIELD, value: 'off', text });
	}
	return chosen;
}
