import type { INodePropertyOptions } from 'n8n-workflow';

import { PaymentsApi } from '../credentials/PaymentsApi.credentials';
import type { Check } from './Check';
import { ANY_409 } from './codes';
import { isAnotherSuccess } from './identity';
import { DEFAULT_SCOPE } from './options';
import {
	answerOf,
	canHaveCode,
	fieldOf,
	hasEntry,
	isCreated,
	isRecorded,
	valuesOf,
} from './reading';
import { CODES_FIELD, describeAnswer } from './report';
import { isBetter, verdictOf } from './verdict';

/* What stands beside the verdict: settings, and what has to be known. */

const SCOPE_FIELD = 'Payments API → Scope';
/** What can be selected there. */
const SCOPES = new PaymentsApi().properties
	.find(({ name }) => name === 'scope')!
	.options!.map((option) => (option as INodePropertyOptions).value);
const KEY_FIELD = 'Payments API → Send Idempotency-Key Header';
const LEAVE = "Leave 'Send Idempotency-Key Header' on";

export function remarkScope(check: Check): void {
	const { scope } = check.setup.credential;
	if (scope === DEFAULT_SCOPE) return;
	const value = SCOPES.includes(scope) ? scope : `{{ ${JSON.stringify(scope)} }}, as an expression`;
	const text = `The check used the scope ${scope}, and the credential has ${DEFAULT_SCOPE} by default`;
	check.find({ kind: 'set', field: SCOPE_FIELD, value, text });
}

/** Whether an event tells what became of a transaction. */
export function remarkAccepted(check: Check): void {
	const { first } = check.asked!;
	if (first.taken === 'accepted')
		check.toKnow(
			`The service accepts a transaction (status ${answerOf(first)!.status}), and doesn't say that it's recorded: an event tells the rest`,
		);
}

/** Whether movements of the past can be sent. */
export function remarkPast(check: Check): void {
	const { first, lost, past } = check.asked!;
	const answer = describeAnswer(past);
	if (!isCreated(past))
		return check.toKnow(
			`A 'Created At' of a year ago ends as ${past.says.outcome} in the node: ${answer}. Ask how far back the service takes movements, and send no older ones`,
		);
	if (isAnotherSuccess(past, first, lost.first))
		return check.find({
			kind: 'lookUp',
			text: `A 'Created At' of a year ago got a success that says something else than that of today, which can be a refusal: ${answer}`,
			eventId: past.transaction.eventId,
			question: `has a 'Created At' of a year ago, and must be there. If it isn't, the service doesn't fit, because a refusal ends as created`,
		});
	check.toKnow(
		"It takes a 'Created At' of a year ago, so movements of the past can be sent as they are",
	);
}

export function remarkWrongToken(check: Check): void {
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
export function remarkCodes(check: Check): void {
	const { entries, found, dropped, unseen, uncovered } = check.codes!;
	const set = (text: string) =>
		check.find({
			kind: 'set',
			field: CODES_FIELD,
			value: fieldOf(entries) || 'nothing, so leave it empty',
			text,
		});
	for (const { entry, repeat } of found) {
		const why =
			entry === ANY_409 ? 'It has no code for this' : `No other answer of the check has ${entry}`;
		set(
			`${repeat.about} got ${describeAnswer(repeat.exchange)}, which the node doesn't know. ${why}. Ask the provider whether it ever means anything else. If not, enter it, and check again with --recorded-codes`,
		);
	}
	for (const entry of dropped)
		set(`Take ${entry} out, because a transaction that is refused can count as recorded with it`);
	for (const entry of unseen)
		check.toKnow(`${entry} was entered, but no answer had it. Ask the provider when it comes`);
	if (entries.includes(ANY_409))
		check.toKnow(
			'With 409 entered, every other answer with 409 counts as recorded, too. A transaction that is refused with 409 is then reported as a duplicate, and never recorded',
		);
	if (uncovered.length > 0) {
		const text = fixedTextOf(check);
		const orText = text
			? `, or whether this text never changes, and means nothing else: "${text}". Then enter it as a whole`
			: '';
		check.toKnow(
			`No code tells a repeat from all other answers. Ask the provider for one that means only "recorded already", with status 400, 409, or 422${orText}, and check again with --recorded-codes`,
		);
	}
}

/** A sentence that is the same in the repeats of two transactions, and in no refusal. */
function fixedTextOf(check: Check): string | undefined {
	const { lost, same, invalid, past } = check.asked!;
	const textsOf = (exchange: typeof same) =>
		valuesOf(answerOf(exchange)?.body).map(({ value }) => value);
	const [repeated, refused] = [textsOf(lost.repeat), [invalid, past].flatMap(textsOf)];
	return textsOf(same).find(
		(text) =>
			hasEntry(same, text) &&
			/^[^"<]+\s[^"<]+$/.test(text) &&
			repeated.includes(text) &&
			!refused.includes(text),
	);
}

/** Says what the service makes of the header Idempotency-Key (docs/interface.md, 10.8). */
export function remarkKey(check: Check): void {
	const { otherKey } = check.asked!;
	if (!otherKey) return check.note("The header isn't sent");
	check.note(
		`Another transaction with the key of the first one got ${describeAnswer(otherKey.first)}`,
	);
	const isRead = readsKey(check);
	if (isRead === undefined) check.toKnow(`${LEAVE}. Whether the service reads it isn't known`);
	else if (isRead) check.toKnow(`${LEAVE}: the service reads it, so it recognizes a repeat by it`);
	else check.toKnow(`${LEAVE}: the service doesn't read it, and it does no harm`);
}

/** `undefined` if the answers don't say so. */
function readsKey(check: Check): boolean | undefined {
	const { first, otherKey } = check.asked!;
	const { first: other, repeat } = otherKey!;
	const { outcome } = other.says;
	if (outcome !== 'created') return outcome === 'duplicate' || canHaveCode(other) || undefined;
	const compared = check.compare(first, other);
	if (compared !== 'notKnown') return compared === 'same';
	// It was taken although its key was known.
	const isRecognized =
		repeat.says.outcome === 'duplicate' ||
		(isCreated(repeat) && check.compare(other, repeat) === 'same');
	return isRecognized ? false : undefined;
}

/** Whether it's worth asking once more without Idempotency-Key. */
export const canBeBetter = ({ setup, findings }: Check): boolean =>
	setup.credential.sendIdempotencyKey && ['fitsBut', 'doesntFit'].includes(verdictOf(findings));

/** Chooses between two checks of a service, of which the second one sent no Idempotency-Key. */
export function chooseByKey(withKey: Check, withoutKey: Check): Check {
	const isOff = isBetter(verdictOf(withoutKey.findings), verdictOf(withKey.findings));
	const [chosen, other] = isOff ? [withoutKey, withKey] : [withKey, withoutKey];
	chosen.service.sent.push(...other.service.sent);
	chosen.title = 'Idempotency-Key';
	const early = withoutKey.findings.find((one) => one.kind === 'endedEarly');
	if (early) chosen.toKnow(`Without the header, the check ended early: ${early.text}`);
	else if (!isOff) chosen.note('Without the header, the service fits no better');
	if (!isOff) return chosen;
	const kind = verdictOf(withKey.findings) === 'doesntFit' ? 'doesntFit' : 'but';
	const [reason] = withKey.findings.filter((one) => one.kind === kind);
	const text = `With the header: ${reason.text}. All other answers here are those without it`;
	chosen.find({ kind: 'set', field: KEY_FIELD, value: 'off', text });
	return chosen;
}
