import { answerOf, leavesOf, splitAtSent, type Attempt } from './reading';

/* Which transaction of the service an answer is about. */

/**
 * What names a transaction: known names of IDs, and the address of what was created (RFC 9110,
 * section 10.2.2).
 */
const ID_NAME = /^(transaction_?|payment_?)?(id|uuid)$|^location$/i;
/** What names a request, or says something of its content, which a repeat has, too. */
const OTHER_NAME = /request|trace|correlation|span|session|hash|digest|checksum|signature|etag/i;
/** An ID of 6 to 100 characters, a digit among them, perhaps as the end of an address. */
const LOOKS_LIKE_ID = /^(?=.*\d)[\w.:/?=&%~-]{6,100}$/;
const LOOKS_LIKE_TIME = /^\d{4}-\d\d-\d\d|^\d\d:\d\d|^1\d{9}(\d{3})?(\.\d+)?$/;

const isNamed = (path: string): boolean => ID_NAME.test(path.split('.').at(-1)!);

/** Whether a value can be an ID, by where in the answer it is. */
function isId(path: string, value = ''): boolean {
	const looksLikeId = LOOKS_LIKE_ID.test(value) && !LOOKS_LIKE_TIME.test(value);
	return !OTHER_NAME.test(path) && (isNamed(path) ? value !== '' : looksLikeId);
}

/**
 * Says whether a repeat got the first transaction or another one. What differs between any two
 * transactions, and is the same in a repeat, is the ID, whatever its name. A time, and what was
 * sent, is none.
 *
 * @param others the first answers to other transactions
 */
export function compareIds(
	first: Attempt,
	repeat: Attempt,
	others: Attempt[],
): 'same' | 'other' | 'notKnown' {
	const repeated = saidIn(repeat);
	const otherSaid = others.map(saidIn);
	const ids = [...saidIn(first)].filter(
		([path, value]) =>
			isId(path, value) &&
			isId(path, repeated.get(path)) &&
			(others.length > 0 || isNamed(path)) &&
			otherSaid.every((one) => isId(path, one.get(path)) && one.get(path) !== value),
	);
	const changed = ids.filter(([path, value]) => repeated.get(path) !== value);
	if (ids.length > 0 && changed.length === 0) return 'same';
	const isOther = changed.length === ids.length && changed.some(([path]) => isNamed(path));
	return isOther ? 'other' : 'notKnown';
}

/**
 * Whether a success says something else than those of two valid transactions say both. Where they
 * differ, they have an ID or a time.
 */
export function isAnotherSuccess(attempt: Attempt, one: Attempt, other: Attempt): boolean {
	const [said, known, varied] = [attempt, one, other].map(saidIn);
	const names = [...said.keys(), ...known.keys()];
	return (
		answerOf(attempt)?.status !== answerOf(one)?.status ||
		names.some((name) => said.get(name) !== known.get(name) && known.get(name) === varied.get(name))
	);
}

/** Lists what an answer says, by where in it. What was sent says nothing. */
function saidIn(attempt: Attempt): Map<string, string> {
	const answer = answerOf(attempt);
	const location = { path: ['Location'], value: answer?.headers.location };
	const leaves = [...leavesOf(answer?.body), location].filter(
		({ value }) => value !== null && value !== undefined,
	);
	return new Map(
		leaves.map(({ path, value }) => [
			path.join('.'),
			splitAtSent(String(value), attempt.transaction).join(''),
		]),
	);
}
