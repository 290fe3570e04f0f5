import type { Check } from './Check';
import type { Repeat } from './codes';
import { isAnotherAnswer } from './identity';
import { canHaveCode, isCreated, isRecorded, readAttempt, type Attempt } from './reading';
import { CODES_FIELD, describeAnswer, describeSays } from './report';
import type { Exchange } from './Service';

const TIMES_FIELD = 'Payments → Created At';

/** Lists the repeats of recorded transactions. */
export function repeatsOf({ asked }: Check): Array<Repeat & { first: Exchange }> {
	const { first, same, atOnce, lost, later } = asked!;
	const seconds = Math.round((later[0].sentAt - first.sentAt) / 1000);
	return [
		{ about: 'A repeat', exchange: same, first },
		{ about: 'A repeat after two at once', exchange: atOnce.after, first: atOnce.first },
		{ about: 'A repeat after a lost response', exchange: lost.repeat, first: lost.first },
		{ about: `A repeat after ${seconds} s`, exchange: later[0], first },
		{ about: `A repeat of another one after ${seconds} s`, exchange: later[1], first: lost.first },
	];
}

/** Lists what transactions got that were never recorded: an invalid one, and then corrected. */
export function refusedOf({ asked }: Check): Attempt[] {
	const { invalid, corrected, past } = asked!;
	const isRefused = readAttempt(invalid, '').says.outcome === 'rejected';
	const others = isRefused ? [corrected, past] : [past];
	return [invalid, ...others.filter((one) => !isCreated(one))];
}

/** Lists what a recorded transaction with another amount got, if the service tells it apart. */
export function otherContentOf({ asked }: Check): Attempt[] {
	const { otherAmount, same, lost } = asked!;
	const isOther = !isCreated(otherAmount) && isAnotherAnswer(otherAmount, same, lost.repeat);
	return isOther ? [otherAmount] : [];
}

/** Concludes from the answer to a repeat, which is named by a subject, such as "A repeat". */
function concludeRepeat(check: Check, about: string, repeat: Exchange, first: Exchange): void {
	const answer = describeAnswer(repeat);
	const { outcome } = repeat.says;
	const { entries, uncovered } = check.codes!;
	const entered = entries.length > 0 ? `, with ${entries.join(', ')} entered` : '';
	if (outcome === 'duplicate')
		return check.fits(`${about} is a duplicate in the node${entered}. The answer was ${answer}`);
	if (outcome === 'created') return concludeCreated(check, about, repeat, first);
	// Said once for all repeats.
	const isUncovered = uncovered.some(({ exchange }) => exchange === repeat);
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

export function concludeInvalid(check: Check): void {
	const { invalid } = check.asked!;
	const { outcome } = invalid.says;
	const answer = describeAnswer(invalid);
	if (outcome === 'created') return concludeAccepted(check, invalid);
	if (outcome === 'duplicate')
		return check.doesntFit(`one code means both "recorded already" and "invalid": ${answer}`);
	if (outcome === 'rejected') check.fits(describeSays(invalid));
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
	const { first, corrected, lost, same, withoutKey } = check.asked!;
	const answer = describeAnswer(invalid);
	const isRefusal = isAnotherAnswer(invalid, first, lost.first);
	const [repeat, repeatOfLost] = withoutKey?.repeats ?? [same, lost.repeat];
	// With 409 entered, it can be any refusal.
	const isClear =
		!check.codes!.entries.includes('409') || !isAnotherAnswer(corrected, repeat, repeatOfLost);
	if (!isRefusal && isClear && check.isRecognized(invalid, corrected))
		return check.toKnow(
			'The service records an amount that is no number, and says later what is wrong with a transaction, if at all',
		);
	// A service that recognizes repeats has recorded only the corrected one.
	if (!isRefusal && !check.isRecognized(first, repeat))
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
	const { corrected } = check.asked!;
	const { outcome } = corrected.says;
	const answer = describeAnswer(corrected);
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
	const { first, lost, past } = check.asked!;
	const { outcome } = past.says;
	const answer = describeAnswer(past);
	if (outcome !== 'created')
		return check.toKnow(
			`A 'Created At' of a year ago ends as ${outcome} in the node: ${answer}. Ask how far back the service takes movements, and send no older ones`,
		);
	if (isAnotherAnswer(past, first, lost.first))
		return check.find({
			kind: 'lookUp',
			text: `A 'Created At' of a year ago got a success that says something else than that of today, which can be a refusal: ${answer}`,
			eventId: past.transaction.eventId,
		});
	check.toKnow(
		"It takes a 'Created At' of a year ago, so movements of the past can be sent as they are",
	);
}

export function concludeOtherAmount(check: Check): void {
	const { first, otherAmount } = check.asked!;
	const about = `The same Event ID with ${otherAmount.transaction.amount} in place of ${first.transaction.amount}`;
	const { outcome } = otherAmount.says;
	if (outcome === 'created') concludeRepeat(check, about, otherAmount, first);
	else check.note(`${about} ends as ${outcome} in the node: ${describeAnswer(otherAmount)}`);
	if (outcome === 'created' && check.isRecognized(first, otherAmount))
		check.toKnow(
			'A row whose amount was corrected after it was recorded ends as created, although the service keeps the first amount',
		);
}

export function concludeSameAgain(check: Check): void {
	const { first, otherTimes, otherReference, same } = check.asked!;
	for (const repeat of repeatsOf(check))
		concludeRepeat(check, repeat.about, repeat.exchange, repeat.first);
	if (!isRecorded(same.says)) return;
	if (isComparison(otherTimes))
		check.find({
			kind: 'set',
			field: TIMES_FIELD,
			value: 'a value of your data',
			text: `The service compares a repeat with the first request, so it must have the same times, and 'Received At' stays empty. With others, it answers ${describeAnswer(otherTimes)}`,
		});
	else concludeRepeat(check, 'A repeat with other times', otherTimes, first);
	if (isComparison(otherReference))
		check.toKnow(
			`A row whose reference was changed after it was recorded ends as ${otherReference.says.outcome}, because the service takes it for other content: ${describeAnswer(otherReference)}`,
		);
	else concludeRepeat(check, 'A repeat with another reference', otherReference, first);
}

/** Whether a service declines a changed repeat because it has the first one. */
const isComparison = (exchange: Exchange): boolean =>
	!isRecorded(exchange.says) && canHaveCode(exchange);

export function concludeAtOnce(check: Check): void {
	const { first, second } = check.asked!.atOnce;
	const about = 'The second of two requests at once';
	const { outcome } = second.says;
	if (outcome !== 'unknown') return concludeRepeat(check, about, second, first);
	const then = second.isRetried
		? 'The node sends it again'
		: 'If two executions send one transaction at the same time, run the one again that ends so, when both have ended';
	check.note(`${about} ends as unknown in the node: ${describeAnswer(second)}. ${then}`);
}

export function concludeWrongToken(check: Check): void {
	const exchange = check.asked!.wrongToken;
	const answer = describeAnswer(exchange);
	if (exchange.answer.rejectedToken)
		return check.fits(`The node requests a new token. The answer was ${answer}`);
	if (isRecorded(exchange.says))
		return check.doesntFit(`it doesn't check the access token. A wrong one got ${answer}`);
	check.note(
		`The node takes the answer to a wrong token for one about the transaction: ${answer}. If the service ends a token before its time, transactions are rejected until the next one`,
	);
}

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
	for (const { entry, repeat } of found) {
		const why =
			entry === '409' ? 'It has no value for this' : `No refusal of the check has ${entry}`;
		set(
			`${repeat.about} got ${describeAnswer(repeat.exchange)}, which the node doesn't know. ${why}. Ask the provider whether it ever means anything else. If not, enter it, and check again with --recorded-codes`,
		);
	}
	for (const entry of dropped)
		set(`Take ${entry} out, because a transaction that is refused can count as recorded with it`);
	for (const entry of unseen)
		check.toKnow(`${entry} was entered, but no answer had it. Ask the provider when it comes`);
	if (entries.includes('409'))
		check.toKnow(
			'With 409 entered, every other answer with 409 counts as recorded, too. A transaction that is refused with 409 is then reported as a duplicate, and never recorded',
		);
	const [first] = uncovered;
	if (first)
		check.doesntFit(
			`no value tells a repeat from a refusal. ${first.about} got ${describeAnswer(first.exchange)}, and ends as ${first.exchange.says.outcome} in the node, although the transaction is recorded. It doesn't fit without a code that means only "recorded already"`,
		);
}
