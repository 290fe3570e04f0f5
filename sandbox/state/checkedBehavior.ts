import type {
	CheckedService,
	SeenAnswer,
	ServiceBehavior,
	StoredTransaction,
	Transaction,
} from '../types';
import type { Acceptance } from './transactions';

type AnswerName = keyof ServiceBehavior['answers'];

/** What each answer is an answer to, as the page names it. */
const ANSWERS: Record<AnswerName, string> = {
	created: 'a new transaction',
	repeated: 'the same transaction again',
	otherContent: 'an Event ID with another amount',
	twoAtOnce: 'two requests at once',
};

/** What a check doesn't see well enough to play it. */
const NEVER_PLAYED =
	'invalid transactions, wrong tokens and secrets, too many requests, what else it checks, and the rest of each body';

/** What a service compares, if it compares the content of two requests with one Event ID. */
const contentOf = ({ amount, currency, recipient }: Transaction) =>
	JSON.stringify([amount, currency, recipient]);

/** What the sandbox answers in place of its own answers, as a service was seen to. */
export class CheckedBehavior {
	/** Event IDs whose first request is open. */
	private readonly open = new Set<string>();

	constructor(readonly checked: CheckedService) {}

	/** How long an answer takes, ms. */
	get latencyMs(): number {
		return this.checked.behavior.latencyMs ?? 0;
	}

	/** For the page: whom the sandbox plays, and which answers are its own. */
	get summary() {
		const { service, checkedAt, behavior } = this.checked;
		const textsOf = (isPlayed: boolean) =>
			(Object.keys(ANSWERS) as AnswerName[])
				.filter((name) => name in behavior.answers === isPlayed)
				.map((name) => ANSWERS[name]);
		return {
			service,
			checkedAt,
			played: textsOf(true),
			notPlayed: [...textsOf(false), NEVER_PLAYED],
		};
	}

	/** The answer to a transaction that was accepted, or not; undefined if it was never seen. */
	answerTo(
		acceptance: Acceptance,
		transaction: Transaction,
		known?: StoredTransaction,
	): SeenAnswer | undefined {
		const { created, repeated, otherContent, twoAtOnce } = this.checked.behavior.answers;
		if (acceptance === 'created') return created;
		if (acceptance === 'inProgress') return twoAtOnce ?? repeated;
		const isOther = known && contentOf(known.transaction) !== contentOf(transaction);
		return (isOther ? otherContent : undefined) ?? repeated;
	}

	/**
	 * Marks the first request with an Event ID as open until the function that it returns is called.
	 *
	 * @returns undefined if one is open, so that this one isn't recorded
	 */
	begin({ eventId }: Transaction): (() => void) | undefined {
		if (this.open.has(eventId)) return undefined;
		this.open.add(eventId);
		return () => this.open.delete(eventId);
	}
}
