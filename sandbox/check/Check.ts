import type { Choice } from './codes';
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
	warn(text: string): void {
		if (!this.findings.some((one) => one.text === text)) this.find({ kind: 'warning', text });
	}

	doesntFit = (text: string): void => this.find({ kind: 'doesntFit', text });
}
