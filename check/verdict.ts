/*
 * Where the verdict is decided: VERDICTS says of each case what it means that it ends so in the
 * node, and verdictOf concludes from all of them. What is right is defined in docs/outcomes.md and
 * docs/idempotency.md.
 */

/** What the check finds. The period of the last sentence can be missing. */
export type Finding =
	| { kind: 'fits' | 'note' | 'doesntFit'; text: string }
	/** It fits, but somebody has to do this each time. */
	| { kind: 'but'; text: string }
	/** What stands in the verdict, whatever it is. */
	| { kind: 'toKnow'; text: string }
	/** A field of the editor, and what to enter. */
	| { kind: 'set'; text: string; field: string; value: string }
	/** Why not everything was asked. */
	| { kind: 'endedEarly'; text: string }
	/** Only the service can tell. The question goes on after its Event ID. */
	| { kind: 'lookUp'; text: string; eventId: string; question: string };

export type VerdictName =
	'fits' | 'fitsIfSet' | 'fitsBut' | 'notKnown' | 'doesntFit' | 'endedEarly';

/** What is sent, of which the node has to report the truth. */
export type CaseName =
	/** A valid transaction. */
	| 'new'
	/** The same again, also after a lost response or some time. */
	| 'repeat'
	/** The same while the first request is open. */
	| 'atOnce'
	/** The same with another amount, time, or reference. */
	| 'changed'
	/** One whose amount is no number. */
	| 'refused'
	/** That one with the amount, after it was refused. */
	| 'corrected'
	/** That one with the amount, after it was accepted like a valid one. */
	| 'correctedLater';

/** How a case ends: what the node reports, and what its answer says of `created`. */
export type Ending =
	/** The node reports it as created. A repeat is another transaction of the service then. */
	| 'created'
	/** As created, and the answer is about the first transaction. */
	| 'firstAgain'
	/** As created, and the answer doesn't tell it from a valid one, or from the first one. */
	| 'unclear'
	| 'duplicate'
	| 'rejected'
	| 'unknown'
	| 'notSent';

/** A case that has ended. */
export interface EndedCase {
	name: CaseName;
	/** The subject of a sentence, such as "A repeat after 65 s". */
	about: string;
	ending: Ending;
	/** What came back, in a few words. */
	answer: string;
	/** What the node says of it. */
	message: string;
	/** What the service said of the first one (docs/outcomes.md). */
	taken: 'recorded' | 'accepted';
	/** With a codes field, as a clause that follows "in the node". */
	entered: string;
	eventId: string;
	/** How often, and with which amounts, it was sent. */
	howSent: string;
	/** What to do about a change, as a sentence that follows, if that helps. */
	advice: string;
}

interface Meaning {
	kind: 'fits' | 'note' | 'toKnow' | 'but' | 'doesntFit' | 'lookUp';
	text: (ended: EndedCase) => string;
	/** For `lookUp`: what must be so at the service, and what it means if it isn't. */
	question?: (ended: EndedCase) => string;
}

const fits = (text: Meaning['text']): Meaning => ({ kind: 'fits', text });
const toKnow = (text: Meaning['text']): Meaning => ({ kind: 'toKnow', text });
const but = (text: Meaning['text']): Meaning => ({ kind: 'but', text });
const doesntFit = (text: Meaning['text']): Meaning => ({ kind: 'doesntFit', text });

const RECOGNIZED = {
	duplicate: fits(
		({ about, answer, entered }) =>
			`${about} is a duplicate in the node${entered}. The answer was ${answer}`,
	),
	firstAgain: fits(
		({ about }) =>
			`${about} gets the first answer again, so there is one transaction. The node reports it as created`,
	),
	created: doesntFit(
		({ about, answer }) =>
			`it records the same Event ID again, so a transaction that is retried counts twice. ${about} got ${answer}`,
	),
	unclear: {
		kind: 'lookUp',
		text: ({ about, answer }) =>
			`${about} got a success that doesn't say whether it counts again: ${answer}`,
		question: ({ howSent }) =>
			`was sent ${howSent}. It must be there once, with the first amount. If it's there more often, the service doesn't fit, because what is retried counts twice`,
	},
} satisfies Partial<Record<Ending, Meaning>>;

const OWN_EXTERNAL_ID = 'Each time, give the corrected row an External ID of its own';

/** What it means that a case ends so. What isn't listed doesn't fit. */
export const VERDICTS: Record<CaseName, Partial<Record<Ending, Meaning>>> = {
	new: {
		created: fits(({ answer }) => `The node reports it as created. The answer was ${answer}`),
	},
	repeat: {
		...RECOGNIZED,
		unknown: but(
			({ about, taken, answer }) =>
				`${about} ends as unknown: ${answer}. So a row whose response was lost stays unknown, whether it was ${taken} or not. Each time, look up its Event ID at the service`,
		),
		rejected: doesntFit(
			({ about, taken, answer }) =>
				`${about} ends as rejected, although the transaction was ${taken}: ${answer}`,
		),
	},
	atOnce: {
		...RECOGNIZED,
		unknown: {
			kind: 'note',
			text: ({ about, answer }) =>
				`${about} ends as unknown in the node: ${answer}. If two executions send one transaction at the same time, run the one again that ends so`,
		},
		rejected: but(
			({ about, answer }) =>
				`${about} ends as rejected: ${answer}. So let no two executions send the same rows at the same time`,
		),
	},
	changed: {
		...RECOGNIZED,
		duplicate: toKnow(({ about }) => `${about} ends as duplicate: the service keeps the first one`),
		firstAgain: toKnow(
			({ about }) =>
				`${about} ends as created, and the answer is about the first transaction. Ask which values the service keeps`,
		),
		unknown: toKnow(({ about, answer, advice }) => `${about} ends as unknown: ${answer}${advice}`),
		rejected: but(
			({ about, answer, advice }) =>
				`${about} ends as rejected, although the service has it with the first values: ${answer}${advice}. Each time, before you correct a row that was rejected, look up whether the service has it`,
		),
	},
	refused: {
		rejected: fits(({ message }) => `The node says: ${message}`),
		unknown: but(
			({ about, answer }) =>
				`${about} ends as unknown: ${answer}. Each time, look up a row that the service refused before you correct it`,
		),
		duplicate: doesntFit(
			({ answer }) => `one code means both "known already" and "refused": ${answer}`,
		),
		created: doesntFit(
			({ about, answer }) =>
				`${about} ends as created in the node, because the answer is a success: ${answer}. A refusal needs a status from 400 on, or a member such as "success": false`,
		),
		unclear: {
			kind: 'lookUp',
			text: ({ about, answer }) => `${about} gets the answer to a valid one: ${answer}`,
			question: ({ howSent }) =>
				`was sent ${howSent}. An event must say that the first was declined, and it must be there once, with the amount. If no event says so, the service doesn't fit, because a refusal ends as created`,
		},
	},
	corrected: {
		created: fits(({ answer }) => `Once it's corrected, it's created. The answer was ${answer}`),
		duplicate: doesntFit(
			({ answer }) =>
				`a row that was refused counts as known when it's corrected, and is never recorded: ${answer}`,
		),
		rejected: but(
			({ answer }) =>
				`A row that the service refused ends as rejected when it's corrected, because the service remembers its Event ID: ${answer}. ${OWN_EXTERNAL_ID}`,
		),
		unknown: but(
			({ answer }) =>
				`A row that the service refused ends as unknown when it's corrected, because the service remembers its Event ID: ${answer}. ${OWN_EXTERNAL_ID}`,
		),
	},
	// The question about the refused one asks for it, too.
	correctedLater: {
		created: { kind: 'note', text: ({ answer }) => `Once it's corrected, it gets ${answer}` },
		unclear: { kind: 'note', text: ({ answer }) => `Once it's corrected, it gets ${answer}` },
		...Object.fromEntries(
			(['duplicate', 'firstAgain', 'rejected', 'unknown'] as const).map((ending) => [
				ending,
				but(
					({ answer }) =>
						`A row that the service declines later can't be corrected under its Event ID: ${answer}. ${OWN_EXTERNAL_ID}`,
				),
			]),
		),
	},
};

/** Says what it means that a case ended so. */
export function findingOf(ended: EndedCase): Finding {
	const { about, answer, ending, eventId } = ended;
	const meaning =
		VERDICTS[ended.name][ending] ??
		doesntFit(() => `${about} ends as ${ending} in the node: ${answer}`);
	const text = meaning.text(ended);
	return meaning.kind === 'lookUp'
		? { kind: 'lookUp', text, eventId, question: meaning.question!(ended) }
		: { kind: meaning.kind, text };
}

/** From the worst to the best, and what has to be found for it. */
const ORDER: Array<[VerdictName, Finding['kind']]> = [
	['endedEarly', 'endedEarly'],
	['doesntFit', 'doesntFit'],
	['notKnown', 'lookUp'],
	['fitsBut', 'but'],
	['fitsIfSet', 'set'],
];

/** Concludes from all findings. */
export const verdictOf = (findings: Finding[]): VerdictName =>
	ORDER.find(([, worst]) => findings.some(({ kind }) => kind === worst))?.[0] ?? 'fits';

/** Whether a verdict is better than another one. */
export function isBetter(one: VerdictName, other: VerdictName): boolean {
	const rank = (verdict: VerdictName) => {
		const index = ORDER.findIndex(([name]) => name === verdict);
		return index < 0 ? ORDER.length : index;
	};
	return rank(one) > rank(other);
}

/** 1 also means that nothing could be checked. */
export const EXIT_CODES: Record<VerdictName, number> = {
	fits: 0,
	endedEarly: 1,
	fitsIfSet: 3,
	doesntFit: 4,
	notKnown: 5,
	fitsBut: 6,
};
