import type { Finding, Question, Setting } from './findings';

export type VerdictName = 'fits' | 'fitsIfSet' | 'doesntFit' | 'notKnown';

/** How often the service has each Event ID, as somebody looked up; left out if nobody did. */
export type LookedUp = ReadonlyMap<string, number>;

export interface Verdict {
	name: VerdictName;
	settings: Array<Setting & { because: string }>;
	reasons: string[];
	/** What somebody has to look up before it is known. */
	open: Question[];
	/** What only the provider can say, if it fits otherwise. */
	notKnown: string[];
}

const isKind =
	<Kind extends Finding['kind']>(kind: Kind) =>
	(finding: Finding): finding is Extract<Finding, { kind: Kind }> =>
		finding.kind === kind;

/** The questions, each once, that only a look at the service answers. */
export function questionsOf(findings: Finding[]): Question[] {
	const questions = findings.filter(isKind('lookUp')).map(({ question }) => question);
	return [...new Map(questions.map((one) => [one.eventId, one])).values()];
}

export const timesOf = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** Concludes from all findings. What isn't known keeps it from being *fits*. */
export function verdictOf(findings: Finding[], lookedUp: LookedUp = new Map()): Verdict {
	const questions = questionsOf(findings);
	const open = questions.filter(({ eventId }) => !lookedUp.has(eventId));
	const wrong = questions.filter(({ eventId }) => (lookedUp.get(eventId) ?? 1) !== 1);
	const reasons = [
		...findings.filter(isKind('doesntFit')).map(({ text }) => text),
		...wrong.map(
			({ eventId, otherwise }) =>
				`${otherwise}: it has Event ID ${eventId} ${timesOf(lookedUp.get(eventId)!)}`,
		),
	];
	const settings = findings
		.filter(isKind('set'))
		.map(({ setting, text }) => ({ ...setting, because: text }));
	const name = nameOf({ reasons, open, settings });
	const notKnown = findings.filter(isKind('fits')).flatMap((one) => one.notKnown ?? []);
	return { name, settings, reasons, open, notKnown: FITTING.includes(name) ? notKnown : [] };
}

/** Those that can be taken for more than was seen. */
const FITTING: VerdictName[] = ['fits', 'fitsIfSet'];

function nameOf({
	reasons,
	open,
	settings,
}: Pick<Verdict, 'reasons' | 'open' | 'settings'>): VerdictName {
	if (reasons.length > 0) return 'doesntFit';
	if (open.length > 0) return 'notKnown';
	return settings.length > 0 ? 'fitsIfSet' : 'fits';
}

/** The exit codes of the command. 1 means that nothing could be checked. */
export const EXIT_CODES: Record<VerdictName, number> = {
	fits: 0,
	fitsIfSet: 3,
	doesntFit: 4,
	notKnown: 5,
};
