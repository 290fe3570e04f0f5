import { schemaOf } from '../contract';
import { Log } from '../state/log';
import type { Acceptance } from '../state/transactions';
import type {
	CheckedService,
	RecordedAnswer,
	ServiceBehavior,
	StoredTransaction,
	Transaction,
} from '../types';
import { fillIn, type Values } from './fillIn';

export type AnswerName = keyof ServiceBehavior['answers'];

/** What each answer is an answer to, as the page names it. */
export const ANSWERS: Record<AnswerName, string> = {
	token: 'an access token request',
	wrongSecret: 'a wrong client secret',
	created: 'a new transaction',
	repeated: 'the same transaction again',
	otherContent: 'an Event ID with another amount',
	inProgress: 'a 409 that says "still in progress"',
	invalid: 'an invalid transaction',
	unknownField: 'an unknown field',
	wrongCurrency: 'a wrong currency',
	wrongToken: 'a wrong access token',
	tooMany: 'too many requests',
};

/** The fields of a transaction in the contract. */
const FIELDS = new Set(Object.keys(schemaOf('Transaction').properties));

/** What a service compares, if it compares the content of two requests with one Event ID. */
const contentOf = ({ amount, currency, recipient }: Transaction) =>
	JSON.stringify([amount, currency, recipient]);

const MAX_KEPT = 10_000;
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));
const SECOND_MS = 1000;

/** What the sandbox answers in place of its own answers, as a service was seen to. */
export class CheckedBehavior {
	readonly behavior: ServiceBehavior;

	/** Event IDs whose first request is open. */
	private readonly open = new Set<string>();

	/** The requests that are open. */
	private openCount = 0;

	/** When the requests of the last second were taken. */
	private taken: number[] = [];

	/** What the service gave each transaction: the same in each answer about it. */
	private readonly assigned = new Log<Map<string, unknown>>(MAX_KEPT);

	constructor(readonly checked: CheckedService) {
		this.behavior = checked.behavior;
	}

	/** For the page: whom the sandbox plays, and which answers are its own. */
	get summary() {
		const { service, checkedAt, behavior } = this.checked;
		const names = Object.keys(ANSWERS) as AnswerName[];
		return {
			service,
			checkedAt,
			signature: behavior.signature,
			played: names.filter((name) => behavior.answers[name]).map((name) => ANSWERS[name]),
			neverSeen: names.filter((name) => !behavior.answers[name]).map((name) => ANSWERS[name]),
		};
	}

	/** How long a token is valid, as far as the service said so. */
	get tokenLifetimeS(): number | undefined {
		const { expires_in: lifetime } = (this.behavior.answers.token?.body ?? {}) as {
			expires_in?: unknown;
		};
		return Number(lifetime) > 0 ? Number(lifetime) : undefined;
	}

	tokenAnswer(token: string): RecordedAnswer | undefined {
		return this.fill('token', { token });
	}

	/** The answer to a transaction that was accepted, or not. */
	answerTo(
		acceptance: Acceptance,
		transaction: Transaction,
		known?: StoredTransaction,
	): RecordedAnswer | undefined {
		if (acceptance === 'externalIdInUse') return undefined;
		if (acceptance === 'created') {
			this.assigned.get(transaction.eventId)?.clear();
			return this.answer('created', transaction);
		}
		if (acceptance === 'inProgress') return this.answer('inProgress', transaction);
		const isOther = known && contentOf(known.transaction) !== contentOf(transaction);
		return (
			(isOther && this.answer('otherContent', transaction)) || this.answer('repeated', transaction)
		);
	}

	/** The answer that a service was seen to give, filled in; undefined if it was never seen. */
	answer(name: AnswerName, transaction?: Partial<Transaction>): RecordedAnswer | undefined {
		const { eventId = '' } = transaction ?? {};
		const assigned = this.assigned.get(eventId) ?? this.assigned.add(eventId, new Map());
		return this.fill(name, { transaction, assigned });
	}

	/**
	 * What is wrong with a transaction that the contract accepts, or with its time: more than the
	 * service takes, or while another request with its Event ID is open.
	 */
	objection(transaction: Transaction): AnswerName | undefined {
		if (this.isTooMany()) return 'tooMany';
		if (this.open.has(transaction.eventId))
			return this.behavior.answers.inProgress ? 'inProgress' : 'repeated';
		const { wrongCurrency, unknownField } = this.behavior.answers;
		if (wrongCurrency && !CURRENCIES.has(transaction.currency)) return 'wrongCurrency';
		const isRejected = (unknownField?.status ?? 200) >= 300;
		if (isRejected && !Object.keys(transaction).every((name) => FIELDS.has(name)))
			return 'unknownField';
		return undefined;
	}

	/** Marks the request as open until the function that it returns is called. */
	begin({ eventId }: Transaction): () => void {
		this.open.add(eventId);
		this.openCount++;
		return () => {
			this.open.delete(eventId);
			this.openCount--;
		};
	}

	/** Whether a transaction that was recorded at a time is one that the service doesn't know. */
	isForgotten(recordedAt: number, now: number): boolean {
		const { recordsAgain = false, forgetsAfterMs = Infinity } = this.behavior;
		return recordsAgain || now - recordedAt > forgetsAfterMs;
	}

	private isTooMany(now = Date.now()): boolean {
		const { maxPerSecond = Infinity, maxConcurrent = Infinity } = this.behavior;
		this.taken = this.taken.filter((at) => at > now - SECOND_MS);
		if (this.taken.length >= maxPerSecond || this.openCount >= maxConcurrent) return true;
		this.taken.push(now);
		return false;
	}

	private fill(name: AnswerName, values: Values): RecordedAnswer | undefined {
		const template = this.behavior.answers[name];
		return template && { ...template, body: fillIn(template.body, values) };
	}
}
