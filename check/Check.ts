import type { Finding } from './findings';
import type { RepeatMeaning } from './repeat';
import type { Setup } from './Setup';
import { ServiceUnderTest, type Answer, type Exchange } from './ServiceUnderTest';

/** What an answer was given to. The sandbox answers the same to the same. */
export type AnswerName =
	| 'token'
	| 'wrongSecret'
	| 'created'
	| 'repeated'
	| 'otherContent'
	| 'inProgress'
	| 'invalid'
	| 'unknownField'
	| 'wrongCurrency'
	| 'wrongToken'
	| 'tooMany';

/** An answer that was seen, and the transaction that it was about. */
export interface SeenAnswer {
	answer: Answer;
	exchange?: Exchange;
}

/** What the service does, as far as it was seen. */
export interface Seen {
	answers: Partial<Record<AnswerName, SeenAnswer>>;
	/** Whether a repeat is recorded again. */
	recordsAgain?: boolean;
	/** After so many ms, an Event ID was no longer known. */
	forgetsAfterMs?: number;
	rotatesTokens?: boolean;
	maxPerSecond?: number;
	maxConcurrent?: number;
}

/** A check of one service: what is known of it, and what was concluded. */
export class Check {
	readonly service: ServiceUnderTest;

	readonly seen: Seen = { answers: {} };

	/** By the title of the step that found them. */
	readonly findings: Array<{ title: string; finding: Finding }> = [];

	/** The first transaction, once it's created. */
	first?: Exchange;

	/** Another one that was created, to tell IDs of transactions from other values. */
	second?: Exchange;

	/** The first token, and when it ends, in ms since the epoch. */
	firstToken?: { bearerToken: string; endsAt: number };

	/** What the answer to a repeat was. */
	repeatMeaning?: RepeatMeaning;

	/** Requested while the first one was valid. */
	secondToken?: string;

	/** Whether nothing more can be asked. */
	stopped = false;

	private title = '';

	constructor(readonly setup: Setup) {
		this.service = new ServiceUnderTest(setup);
	}

	begin(title: string): void {
		this.title = title;
	}

	find(...findings: Finding[]): void {
		for (const finding of findings) this.findings.push({ title: this.title, finding });
	}

	saw(name: AnswerName, exchange: Exchange | { answer?: Answer }): void {
		const { answer } = exchange;
		if (answer)
			this.seen.answers[name] ??= 'attempt' in exchange ? { answer, exchange } : { answer };
	}
}

/** One question that the check asks the service. */
export interface Step {
	/** Begins in upper case. */
	title: string;
	/** What is sent, for the plan that the user agrees to. A clause, or nothing. */
	sends: (setup: Setup) => string | undefined;
	/** Whether it's asked; always if left out. */
	applies?: (setup: Setup) => boolean;
	/** How many of these may be recorded. */
	records: (setup: Setup) => number;
	run: (check: Check) => Promise<void>;
}

export const fits = (text: string): Finding => ({ kind: 'fits', text });
export const note = (text: string): Finding => ({ kind: 'note', text });
export const doesntFit = (text: string): Finding => ({ kind: 'doesntFit', text });
