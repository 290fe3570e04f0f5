/** What the check concludes. The period of the last sentence can be missing. */
export type Finding =
	| { kind: 'fits' | 'note' | 'doesntFit'; text: string }
	/** What stands in the verdict, whatever it is. */
	| { kind: 'toKnow'; text: string }
	/** A field of the editor, and what to enter. */
	| { kind: 'set'; text: string; field: string; value: string }
	/** Only a look at the service can tell whether it has this Event ID exactly once. */
	| { kind: 'lookUp'; text: string; eventId: string };

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
