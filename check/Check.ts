import type { Asked } from './asking';
import type { Choice } from './codes';
import { compareIds } from './identity';
import type { Setup } from './options';
import { isCreated } from './reading';
import type { Exchange, Service } from './Service';
import type { Finding } from './verdict';

/** A check of one service: what was asked, and what was concluded. */
export class Check {
	readonly findings: Array<{ title: string } & Finding> = [];

	/** What was sent, if the first transaction was created. */
	asked?: Asked;

	/** The entries of Codes for Recorded Already, once everything is asked. */
	codes?: Choice;

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
	toKnow = (text: string): void => this.find({ kind: 'toKnow', text });
	doesntFit = (text: string): void => this.find({ kind: 'doesntFit', text });

	/** Says whether a repeat got the transaction of the first answer, or another one. */
	compare(first: Exchange, repeat: Exchange): ReturnType<typeof compareIds> {
		const { first: one, corrected, past, atOnce, lost } = this.asked!;
		const { eventId } = first.transaction;
		const others = [one, corrected, past, atOnce.first, lost.first].filter(
			(other) => isCreated(other) && other.transaction.eventId !== eventId,
		);
		return compareIds(first, repeat, others);
	}
}
