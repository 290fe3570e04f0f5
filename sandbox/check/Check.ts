import type { ServiceBehavior } from '../types';
import type { Exchange, Service } from './Service';
import type { Setup } from './options';

/** What the check concludes. The period of the last sentence can be missing. */
export type Finding =
	| { kind: 'fits' | 'note' | 'doesntFit'; text: string }
	/** A field of the editor, and what to enter. */
	| { kind: 'set'; text: string; field: string; value: string }
	/** Only a look at the service can tell whether it has this Event ID exactly once. */
	| { kind: 'lookUp'; text: string; eventId: string };

/** A check of one service: what is known of it, and what was concluded. */
export class Check {
	readonly findings: Array<{ title: string } & Finding> = [];

	/** The answers that the sandbox can play. */
	readonly seen: Partial<Record<keyof ServiceBehavior['answers'], Exchange['answer']>> = {};

	/** The first transaction, once it's created. */
	first?: Exchange;

	/** Whether the same content is repeated, because the service compares whole requests. */
	comparesContent = false;

	/** Whether nothing more can be asked. */
	isStopped = false;

	/** The question that is asked. */
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

	doesntFit = (text: string): void => this.find({ kind: 'doesntFit', text });
}

export type VerdictName = 'fits' | 'fitsIfSet' | 'doesntFit' | 'notKnown';

/** Concludes from all findings. */
export function verdictOf(findings: Finding[]): VerdictName {
	const has = (kind: Finding['kind']) => findings.some((one) => one.kind === kind);
	if (has('doesntFit')) return 'doesntFit';
	if (has('lookUp')) return 'notKnown';
	return has('set') ? 'fitsIfSet' : 'fits';
}

/** 1 means that nothing could be checked. */
export const EXIT_CODES: Record<VerdictName, number> = {
	fits: 0,
	fitsIfSet: 3,
	doesntFit: 4,
	notKnown: 5,
};
