import { NO_AMOUNT } from './asking';
import type { Check } from './Check';
import { isAnotherSuccess } from './identity';
import { fieldOf, isCreated, isRecorded } from './reading';
import { describeAnswer } from './report';
import type { Exchange } from './Service';
import { findingOf, type CaseName, type EndedCase, type Ending } from './verdict';

/* How each case ended. What that means is decided in verdict.ts. */

/** A repeat of a transaction that was created. */
export interface Repeat {
	/** A subject, such as "A repeat". */
	about: string;
	exchange: Exchange;
	first: Exchange;
}

/** Lists the repeats of transactions that were created. */
export function repeatsOf({ asked }: Check): Repeat[] {
	const { first, same, atOnce, lost, later } = asked!;
	const repeats = [
		{ about: 'A repeat', exchange: same, first },
		{ about: 'A repeat after two at once', exchange: atOnce.after, first: atOnce.first },
		{ about: 'A repeat after a lost response', exchange: lost.repeat, first: lost.first },
		{ about: `A repeat after ${secondsBetween(first, later[0])} s`, exchange: later[0], first },
		{
			about: `A repeat after ${secondsBetween(lost.first, later[1])} s`,
			exchange: later[1],
			first: lost.first,
		},
	];
	return repeats.filter((repeat) => isCreated(repeat.first));
}

const secondsBetween = (first: Exchange, later: Exchange): number =>
	Math.round((later.sentAt - first.sentAt) / 1000);

/** Concludes from the first transaction. */
export const concludeNew = (check: Check, first: Exchange): void =>
	end(check, 'new', 'A valid transaction', first, outcomeOf(first));

/** Concludes from the one whose amount is no number, and from the same with the amount. */
export function concludeRefused(check: Check): void {
	const { invalid, corrected } = check.asked!;
	const ending = endingOfRefused(check);
	end(check, 'refused', 'An amount that is no number', invalid, ending);
	if (ending === 'unclear')
		return end(check, 'correctedLater', 'It', corrected, endingOf(check, corrected, invalid));
	end(check, 'corrected', 'Once it has the amount, it', corrected, outcomeOf(corrected));
}

/** Concludes from the first transaction with other content. */
export function concludeChanged(check: Check): void {
	const { first, otherAmount, otherTimes, otherReference, same } = check.asked!;
	const changes = [
		{ what: 'amount', exchange: otherAmount },
		// Unless the same is recognized, it isn't because of these.
		...(isRecorded(same.says)
			? [
					{ what: 'times', exchange: otherTimes },
					{ what: 'reference', exchange: otherReference },
				]
			: []),
	].map((change) => ({ ...change, ending: endingOf(check, change.exchange, first) }));
	for (const ending of new Set(changes.map((one) => one.ending))) {
		const alike = changes.filter((one) => one.ending === ending);
		const names = alike.map(({ what }) => what);
		const about = `A row whose ${LIST.format(names)} changed after it was ${first.taken}`;
		const advice = names.includes('times')
			? ". So take 'Created At' from your data, and leave 'Received At' empty"
			: '';
		end(check, 'changed', about, alike[0].exchange, ending, { first, advice });
	}
}

const LIST = new Intl.ListFormat('en', { type: 'disjunction' });

/** Concludes from all repeats, and says for how long the service is known to remember. */
export function concludeRepeats(check: Check): void {
	const said = new Set<Ending>();
	for (const { about, exchange, first } of repeatsOf(check)) {
		const ending = endingOf(check, exchange, first);
		// What has to be looked up is listed by its Event ID.
		if (said.has(ending) && ending !== 'unclear')
			check.note(`${about} ends so, too: ${describeAnswer(exchange)}`);
		else end(check, 'repeat', about, exchange, ending, { first });
		said.add(ending);
	}
	const { first, later } = check.asked!;
	if (['duplicate', 'firstAgain'].includes(endingOf(check, later[0], first)))
		check.toKnow(
			`It remembers an Event ID for ${secondsBetween(first, later[0])} s at least: ask for how long`,
		);
}

export function concludeAtOnce(check: Check): void {
	const { first, second, isLimited } = check.asked!.atOnce;
	if (isLimited)
		return check.toKnow(
			"Because of the rate limit, no two requests arrived at once, so what the second one gets isn't known",
		);
	if (!isCreated(first)) return check.note('Neither of two requests at once was created');
	const about = 'The second of two requests at once';
	end(check, 'atOnce', about, second, endingOf(check, second, first), { first });
}

const outcomeOf = ({ says }: Exchange): Ending => says.outcome;

/** How a request ends in the node that has the Event ID of another one. */
function endingOf(check: Check, exchange: Exchange, first: Exchange): Ending {
	if (!isCreated(exchange)) return outcomeOf(exchange);
	const compared = check.compare(first, exchange);
	return compared === 'same' ? 'firstAgain' : compared === 'other' ? 'created' : 'unclear';
}

/** Whether a success to an invalid transaction is that of valid ones, or says something else. */
function endingOfRefused({ asked }: Check): Ending {
	const { first, invalid, lost } = asked!;
	if (!isCreated(invalid)) return outcomeOf(invalid);
	return isAnotherSuccess(invalid, first, lost.first) ? 'created' : 'unclear';
}

function end(
	check: Check,
	name: CaseName,
	about: string,
	exchange: Exchange,
	ending: Ending,
	{ first = exchange, advice = '' }: { first?: Exchange; advice?: string } = {},
): void {
	const { eventId } = exchange.transaction;
	const entries = check.codes?.entries ?? [];
	check.find(
		findingOf({
			...{ name, about, ending, eventId, advice },
			answer: describeAnswer(exchange),
			message: exchange.says.message,
			taken: first.taken,
			entered: entries.length > 0 ? `, with ${fieldOf(entries)} entered` : '',
			howSent: describeSent(check, eventId),
		} satisfies EndedCase),
	);
}

/** How often an Event ID was sent, and with which amounts: "6 times, with 1.00 and 1.07". */
function describeSent({ service }: Check, eventId: string): string {
	const sent = service.sent.filter(({ transaction }) => transaction.eventId === eventId);
	const amounts = new Set(sent.map(({ transaction }) => transaction.amount));
	const named = [...amounts].map((one) => (one === NO_AMOUNT ? `"${one}"` : one)).join(' and ');
	return `${sent.length === 1 ? 'once' : `${sent.length} times`}, with ${named}`;
}
