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
	invalid: 'an invalid transaction',
	wrongToken: 'a wrong access token',
	wrongSecret: 'a wrong client secret',
};

/** What a check doesn't see well enough to play it. */
const NEVER_PLAYED = 'too many requests, what else it checks, and the rest of each body';

/** What a service compares, if it compares the content of two requests with one Event ID. */
const contentOf = ({ amount, currency, recipient }: Transaction) =>
	JSON.stringify([amount, currency, recipient]);

/** What the sandbox answers in place of its own answers, as a service was seen to. */
export class CheckedBehavior {
	readonly behavior: ServiceBehavior;

	/** Event IDs whose first request is open. */
	private readonly open = new Set<string>();

	constructor(readonly checked: CheckedService) {
		this.behavior = checked.behavior;
	}

	/** For the page: whom the sandbox plays, and which answers are its own. */
	get summary() {
		const { service, checkedAt, behavior } = this.checked;
		const names = Object.keys(ANSWERS) as AnswerName[];
		const isPlayed = (name: AnswerName) => behavior.answers[name] !== undefined;
		return {
			service,
			checkedAt,
			signature: behavior.signature,
			played: names.filter(isPlayed).map((name) => ANSWERS[name]),
			notPlayed: [
				...names.filter((name) => !isPlayed(name)).map((name) => ANSWERS[name]),
				NEVER_PLAYED,
			],
		};
	}

	/** The answer to a transaction that was accepted, or not; undefined if it was never seen. */
	answerTo(
		acceptance: Acceptance,
		transaction: Transaction,
		known?: StoredTransaction,
	): SeenAnswer | undefined {
		const { created, repeated, otherContent, twoAtOnce } = this.behavior.answers;
		switch (acceptance) {
			case 'created':
				return created;
			case 'eventExists':
				return known && contentOf(known.transaction) !== contentOf(transaction)
					? (otherContent ?? repeated)
					: repeated;
			case 'inProgress':
				return twoAtOnce ?? repeated;
			default:
				return undefined;
		}
	}

	/** Whether a transaction that was recorded at a time is one that the service doesn't know. */
	isForgotten(recordedAt: number, now: number): boolean {
		const { recordsAgain = false, forgetsAfterMs = Infinity } = this.behavior;
		return recordsAgain || now - recordedAt > forgetsAfterMs;
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
