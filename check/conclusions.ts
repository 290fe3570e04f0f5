import type { SendResult } from '../nodes/Payments/results';
import type { Check } from './Check';
import type { PassedOver, Repeat } from './codes';
import { mustGo } from './idempotencyKey';
import { answerOf, canHaveCode, leavesOf, readAttempt, splitAtSent, type Attempt } from './reading';
import { CODES_FIELD, describeAnswer, describeSays } from './report';
import type { Exchange } from './Service';

const isRecorded = ({ outcome }: SendResult) => outcome === 'created' || outcome === 'duplicate';

const TIMES_FIELD = 'Payments → Created At';

/** Lists the repeats of recorded transactions. */
export function repeatsOf({ asked }: Check): Repeat[] {
	const { same, atOnce, lost, later } = asked;
	const repeats = [
		['A repeat', same],
		['A repeat after two requests at once', atOnce?.after],
		['A repeat after a lost response', lost?.repeat],
		...(later ?? []).map((one) => ['A repeat after a while', one] as const),
	] as const;
	return repeats.flatMap(([about, exchange]) => (exchange ? { about, exchange } : []));
}

/** Lists what transactions got that were never recorded: an invalid one, and then corrected. */
export function refusedOf({ asked }: Check): Attempt[] {
	const [invalid, corrected, past] = [asked.invalid!, asked.corrected!, asked.past!];
	const isCreated = (one: Exchange) => readAttempt(one, '').says.outcome === 'created';
	const isRefused = readAttempt(invalid, '').says.outcome === 'rejected';
	const others = isRefused ? [corrected, past] : [past];
	return [invalid, ...others.filter((one) => !isCreated(one))];
}

/** Lists what a recorded transaction with another amount got, if the service tells it apart. */
export function otherContentOf({ asked }: Check): Attempt[] {
	const { otherAmount, same, lost } = asked;
	if (readAttempt(otherAmount!, '').says.outcome === 'created') return [];
	return isAnotherAnswer(otherAmount!, same!, lost!.repeat) ? [otherAmount!] : [];
}

/**
 * Whether an answer says something else than the one to a repeat.
 *
 * @param repeat what the repeat of another transaction got: where it differs, an answer has an ID
 * or a time
 */
function isAnotherAnswer(one: Exchange, same: Exchange, repeat: Exchange): boolean {
	const valuesIn = (exchange: Exchange) =>
		leavesOf(answerOf(exchange)?.body).map(({ path, value }) => ({
			name: path.join('.'),
			said: splitAtSent(String(value), exchange.transaction).join('…'),
		}));
	const known = new Map(valuesIn(repeat).map(({ name, said }) => [name, said]));
	const varying = new Set(
		valuesIn(same)
			.filter(({ name, said }) => known.get(name) !== said)
			.map(({ name }) => name),
	);
	const says = (exchange: Exchange) =>
		valuesIn(exchange)
			.filter(({ name }) => !varying.has(name))
			.map(({ name, said }) => `${name} ${said}`)
			.sort()
			.join();
	return answerOf(one)?.status !== answerOf(same)?.status || says(one) !== says(same);
}

/**
 * Concludes from the answer to a repeat.
 *
 * @param about a subject, such as "A repeat"
 */
function concludeRepeat(check: Check, about: string, repeat: Exchange, first: Exchange): void {
	const answer = describeAnswer(repeat);
	const { outcome } = repeat.says;
	const { entries, uncovered } = check.codes!;
	const entered = entries.length > 0 ? `, with ${entries.join(', ')} entered` : '';
	if (outcome === 'duplicate')
		return check.fits(`${about} is a duplicate in the node${entered}. The answer was ${answer}`);
	if (outcome === 'created') return concludeCreated(check, about, repeat, first);
	// Said once for all repeats.
	const isUncovered = uncovered.some((one) => one.repeat.exchange === repeat);
	if (outcome === 'rejected' && !isUncovered)
		return check.doesntFit(
			`${about} ends as rejected in the node, although the transaction is recorded: ${answer}. A code is read only with 400, 409, or 422`,
		);
	check.note(`${about} ends as ${outcome} in the node: ${answer}. ${describeSays(repeat)}`);
	if (outcome === 'unknown' && !isUncovered)
		check.toKnow(
			'A repeat of a recorded transaction ends as unknown. So a row whose response was lost stays unknown until somebody looks it up at the service',
		);
}

/** A repeat that the service answers with a success. */
function concludeCreated(check: Check, about: string, repeat: Exchange, first: Exchange): void {
	const answer = describeAnswer(repeat);
	switch (check.compare(first, repeat)) {
		case 'same':
			return check.note(
				`${about} gets the first answer again, so there is one transaction. The node reports it as created`,
			);
		case 'notKnown':
			return check.find({
				kind: 'lookUp',
				text: `${about} got a success that doesn't say whether it was recorded again: ${answer}`,
				eventId: repeat.transaction.eventId,
			});
		case 'other':
			check.doesntFit(
				`it records the same Event ID again, so a transaction that is retried counts twice. ${about} got ${answer}`,
			);
	}
}

/** Whether a repeat was recorded as another transaction. */
export function isRecordedAgain(check: Check): boolean {
	const { first, same } = check.asked;
	return same!.says.outcome === 'created' && check.compare(first!, same!) === 'other';
}

export function concludeInvalid(check: Check): void {
	const exchange = check.asked.invalid!;
	const { outcome } = exchange.says;
	const answer = describeAnswer(exchange);
	if (outcome === 'created') return concludeAccepted(check, exchange);
	if (outcome === 'duplicate')
		return check.doesntFit(`one code means both "recorded already" and "invalid": ${answer}`);
	if (outcome === 'rejected') check.fits(describeSays(exchange));
	else
		check.note(
			`An amount that is no number ends as ${outcome} in the node: ${answer}. So an invalid transaction has to be looked up`,
		);
	concludeCorrected(check, outcome === 'rejected');
}

/**
 * An invalid transaction that ends as created. That is right only if the service has recorded it,
 * so that the corrected one is a repeat.
 */
function concludeAccepted(check: Check, invalid: Exchange): void {
	const { first, corrected, lost, same, withoutKey } = check.asked;
	const answer = describeAnswer(invalid);
	const isRefusal = isAnotherAnswer(invalid, first!, lost!.first);
	const [repeat, repeatOfLost] = withoutKey?.repeats ?? [same!, lost!.repeat];
	// With 409 entered, it can be any refusal.
	const isClear =
		!check.codes!.entries.includes('409') || !isAnotherAnswer(corrected!, repeat, repeatOfLost);
	if (!isRefusal && isClear && check.isRecognized(invalid, corrected!))
		return check.toKnow(
			'The service records an amount that is no number, and says later what is wrong with a transaction, if at all',
		);
	// A service that recognizes repeats has recorded only the corrected one.
	if (!isRefusal && !check.isRecognized(first!, repeat))
		return check.find({
			kind: 'lookUp',
			text: `An amount that is no number gets the answer to a valid one, which doesn't say whether it was recorded: ${answer}`,
			eventId: invalid.transaction.eventId,
		});
	check.doesntFit(
		`an amount that is no number ends as created in the node, because the answer is a success: ${answer}. A refusal needs a status from 400 on, or a member such as "success": false`,
	);
}

/** What becomes of a row that was refused, and is sent again after somebody corrected it. */
function concludeCorrected(check: Check, wasRejected: boolean): void {
	// What turns it off says so.
	if (mustGo(check)) return;
	const { corrected } = check.asked;
	const { outcome } = corrected!.says;
	const answer = describeAnswer(corrected!);
	if (outcome === 'created')
		return check.fits(`Once it's corrected, it's created. The answer was ${answer}`);
	if (outcome === 'duplicate' && wasRejected)
		return check.doesntFit(
			`a transaction that was rejected counts as recorded when it's corrected, and is never recorded: ${answer}`,
		);
	check.note(`Once it's corrected, it ends as ${outcome} in the node: ${answer}`);
	if (outcome === 'rejected' || outcome === 'unknown')
		check.toKnow(
			`A row that the service refused ends as ${outcome} when it's corrected, because the service remembers its Event ID. Give the corrected row an External ID of its own`,
		);
}

/** Whether movements of the past can be recorded. */
export function concludePast(check: Check): void {
	const { first, lost, past } = check.asked;
	const { outcome } = past!.says;
	const answer = describeAnswer(past!);
	if (outcome !== 'created')
		return check.toKnow(
			`A 'Created At' of a year ago ends as ${outcome} in the node: ${answer}. Ask how far back the service takes movements, and send no older ones`,
		);
	if (isAnotherAnswer(past!, first!, lost!.first))
		return check.find({
			kind: 'lookUp',
			text: `A 'Created At' of a year ago got a success that says something else than that of today, which can be a refusal: ${answer}`,
			eventId: past!.transaction.eventId,
		});
	check.toKnow(
		"It takes a 'Created At' of a year ago, so movements of the past can be sent as they are",
	);
}

export function concludeOtherAmount(check: Check): void {
	const { first, otherAmount } = check.asked;
	const { transaction, says } = otherAmount!;
	const about = `The same Event ID with ${transaction.amount} in place of ${first!.transaction.amount}`;
	if (says.outcome === 'created') {
		concludeRepeat(check, about, otherAmount!, first!);
		if (check.compare(first!, otherAmount!) === 'same')
			check.toKnow(
				'A row whose amount was corrected after it was recorded ends as created, although the service keeps the first amount',
			);
		return;
	}
	const answer = describeAnswer(otherAmount!);
	if (says.outcome === 'duplicate')
		return check.note(
			`${about} is a duplicate in the node, so a corrected amount isn't recorded. The answer was ${answer}`,
		);
	check.fits(`${about} ends as ${says.outcome} in the node. The answer was ${answer}`);
}

export function concludeSameAgain(check: Check): void {
	const { first, otherTimes, otherReference, same } = check.asked;
	concludeRepeat(check, 'A repeat', same!, first!);
	if (!isRecorded(same!.says)) return;
	if (isComparison(otherTimes!))
		check.find({
			kind: 'set',
			field: TIMES_FIELD,
			value: 'a value of your data',
			text: `The service compares a repeat with the first request, so it must have the same times, and 'Received At' stays empty. With others, it answers ${describeAnswer(otherTimes!)}`,
		});
	else concludeRepeat(check, 'A repeat with other times', otherTimes!, first!);
	if (isComparison(otherReference!))
		check.toKnow(
			`A row whose reference was changed after it was recorded ends as ${otherReference!.says.outcome}, because the service takes it for other content: ${describeAnswer(otherReference!)}`,
		);
	else concludeRepeat(check, 'A repeat with another reference', otherReference!, first!);
}

/** Whether a service declines a changed repeat because it has the first one. */
const isComparison = (exchange: Exchange): boolean =>
	!isRecorded(exchange.says) && canHaveCode(exchange);

export function concludeAtOnce(check: Check): void {
	const { first, second, after } = check.asked.atOnce!;
	const about = 'The second of two requests at once';
	const answer = describeAnswer(second);
	if (isRecorded(second.says)) concludeRepeat(check, about, second, first);
	else if (second.isRetried) check.note(`${about} is sent again by the node: ${answer}`);
	else if (second.says.outcome === 'rejected' && check.codes!.uncovered.length === 0)
		check.doesntFit(
			`${about} ends as rejected in the node, although the other one is recorded: ${answer}`,
		);
	else
		check.note(
			`${about} ends as ${second.says.outcome} in the node: ${answer}. If two executions send one transaction at the same time, one of them says so. Run it again when both have ended, and it says what became of the transaction`,
		);
	if (after) concludeRepeat(check, 'Repeated after both, it', after, first);
}

export function concludeLost(check: Check): void {
	const { first, repeat } = check.asked.lost!;
	concludeRepeat(check, 'A repeat as if the response was lost', repeat, first);
}

export function concludeWrongToken(check: Check): void {
	const exchange = check.asked.wrongToken!;
	const answer = describeAnswer(exchange);
	if (exchange.result.kind === 'failure' && exchange.result.tokenRejected)
		return check.fits(`The node requests a new token. The answer was ${answer}`);
	if (isRecorded(exchange.says))
		return check.doesntFit(`it doesn't check the access token. A wrong one got ${answer}`);
	check.note(
		`The node takes the answer to a wrong token for one about the transaction: ${answer}. If the service ends a token before its time, transactions are rejected until the next one`,
	);
}

export function concludeLater(check: Check): void {
	const { first, lost, later } = check.asked;
	if (!later) return;
	const [repeat, repeatOfLost] = later;
	const since = (one: Exchange, original: Exchange) =>
		`${Math.round((one.sentAt - original.sentAt) / 1000)} s`;
	concludeRepeat(check, `A repeat after ${since(repeat, first!)}`, repeat, first!);
	const about = `A repeat of the one with the lost response, after ${since(repeatOfLost, lost!.first)}`;
	concludeRepeat(check, about, repeatOfLost, lost!.first);
}

const ASK_FIRST =
	'Ask the provider whether it ever means anything else. If not, enter it, and check again with --recorded-codes';

/** Says what is entered in Codes for Recorded Already, and why. */
export function concludeCodes(check: Check): void {
	const { entries, found, dropped, unseen, uncovered } = check.codes!;
	const set = (text: string) =>
		check.find({
			kind: 'set',
			field: CODES_FIELD,
			value: entries.join(', ') || 'nothing, so leave it empty',
			text,
		});
	for (const { entry, repeat, passedOver } of found) {
		const why =
			entry === '409' ? 'It has no value for this' : `No refusal of the check has ${entry}`;
		set(
			`${repeat.about} got ${describeAnswer(repeat.exchange)}, which the node doesn't know. ${why}${describePassedOver(passedOver)}. ${ASK_FIRST}`,
		);
	}
	for (const { value, because } of dropped) set(`Take ${value} out, because ${because}`);
	for (const entry of unseen)
		check.toKnow(`${entry} was entered, but no answer had it. Ask the provider when it comes`);
	if (entries.includes('409'))
		check.toKnow(
			'With 409 entered, every other answer with 409 counts as recorded, too. A transaction that is refused with 409 is then reported as a duplicate, and never recorded',
		);
	const [first] = uncovered;
	// Without the key, none of them comes.
	if (first && !mustGo(check))
		check.doesntFit(
			`no value tells a repeat from a refusal. ${first.repeat.about} got ${describeAnswer(first.repeat.exchange)}, and ends as ${first.repeat.exchange.says.outcome} in the node, although the transaction is recorded${describePassedOver(first.passedOver)}. It doesn't fit without a code that means only "recorded already"`,
		);
}

const MAX_LISTED = 5;

const describePassedOver = (values: PassedOver[]): string =>
	values.length === 0
		? ''
		: `. Not chosen: ${values
				.slice(0, MAX_LISTED)
				.map(({ value, because }) => `${value} (${because})`)
				.join(', ')}`;
