import type { Choice } from './codes';
import { compareIds } from './identity';
import type { Setup } from './options';
import type { Exchange, Service } from './Service';
import type { Finding } from './verdict';

/** What was sent to be answered, by what it asks. */
export interface Asked {
	/** A valid transaction. */
	first: Exchange;
	/** One whose amount is no number. */
	invalid: Exchange;
	/** The same with an amount, as after somebody corrected the row. */
	corrected: Exchange;
	/** One that was created a year ago. */
	past: Exchange;
	/** The first one with another amount. */
	otherAmount: Exchange;
	/** The first one with other times. */
	otherTimes: Exchange;
	/** The first one with another reference. */
	otherReference: Exchange;
	/** The first one, unchanged. */
	same: Exchange;
	/** A new one, twice at the same time. `second` is the one that didn't create it. */
	atOnce: { first: Exchange; second: Exchange; after?: Exchange };
	/** A new one, and its repeat, as after a lost response. */
	lost: { first: Exchange; repeat: Exchange };
	/** A new one with the key of the first one, and then with its own. */
	otherKey: { first: Exchange; repeat: Exchange };
	/** Without a key: the corrected one, and the repeats of two that are recorded. */
	withoutKey: { corrected: Exchange; repeats: [Exchange, Exchange] };
	/** The first one with an invalid token. */
	wrongToken: Exchange;
	/** The first one and the one with the lost response, a while later. */
	later: [Exchange, Exchange];
}

/** A check of one service: what was asked, and what was concluded. */
export class Check {
	readonly findings: Array<{ title: string } & Finding> = [];

	readonly asked: Partial<Asked> = {};

	/** The entries of Codes for Recorded Already, once everything is asked. */
	codes?: Choice;

	/** Whether nothing more can be asked. */
	isStopped = false;

	/** The question that is asked, or concluded. */
	title = '';

	constructor(
		readonly setup: Setup,
		readonly service: Service,
	) {}

	find(finding: Finding): void {
		this.findings.push({ title: this.title, ...finding });
	}

	fits = (text: string): void => this.find({ kind: 'fits', text });

	note = (text: string): void => this.find({ kind: 'note', text });

	/** Says it once, because it stands in the verdict. */
	toKnow(text: string): void {
		if (!this.findings.some((one) => one.text === text)) this.find({ kind: 'toKnow', text });
	}

	doesntFit = (text: string): void => this.find({ kind: 'doesntFit', text });

	/** Says whether a repeat got the transaction of the first answer, or another one. */
	compare(first: Exchange, repeat: Exchange): ReturnType<typeof compareIds> {
		const { first: one, corrected, past, atOnce, lost } = this.asked;
		const created = [one, corrected, past, atOnce?.first, lost?.first]
			.filter((exchange) => exchange !== undefined)
			.filter(({ says }) => says.outcome === 'created');
		const { eventId } = first.transaction;
		const others = created.filter(({ transaction }) => transaction.eventId !== eventId);
		return compareIds(first, repeat, others);
	}

	/** Whether the node reports a repeat as recorded, and it is known to be the first one. */
	isRecognized(first: Exchange, repeat: Exchange): boolean {
		const { outcome } = repeat.says;
		return (
			outcome === 'duplicate' || (outcome === 'created' && this.compare(first, repeat) === 'same')
		);
	}
}
