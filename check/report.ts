import type { Check } from './Check';
import type { CheckResult } from './result';
import type { Exchange } from './ServiceUnderTest';
import type { Verdict } from './verdict';
import { describeAnswer } from './words';

const HEADLINES: Record<Verdict['name'], string> = {
	fits: 'It fits.',
	fitsIfSet: 'It fits if you set:',
	doesntFit: "It doesn't fit, because:",
	notKnown: "It isn't known whether it fits. Look up at the service:",
};

/** Each check has Event IDs of its own, so nobody can look them up for the next one. */
const HOW_TO_LOOK_UP =
	'To look them up, run the command in a terminal, with or without --yes. At its end, it asks how often the service has each.';

const MARKS: Record<string, string> = {
	fits: '✓',
	note: '·',
	set: '!',
	doesntFit: '✗',
	lookUp: '?',
};

export const sentence = (text: string) =>
	`${text[0].toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;

/** The verdict and its reasons, one line each. */
export function verdictLines({ name, reasons, open, settings, notKnown }: Verdict): string[] {
	const set = settings.map(
		({ where, field, value, because }) => `${where} → ${field}: ${value}. ${sentence(because)}`,
	);
	const lookUp = open.map(
		({ eventId, otherwise }) =>
			`Event ID ${eventId} must be there exactly once. If it isn't, it doesn't fit, because ${otherwise}.`,
	);
	const own = { fits: [], fitsIfSet: set, doesntFit: reasons.map(sentence), notKnown: lookUp }[
		name
	];
	const others = [
		...(name !== 'fitsIfSet' && set.length > 0
			? ['Set as well:', ...set.map((line) => `  - ${line}`)]
			: []),
		...(name === 'doesntFit' && lookUp.length > 0
			? ['Not known, so look up at the service:', ...lookUp.map((line) => `  - ${line}`)]
			: []),
		...(open.length > 0 ? [HOW_TO_LOOK_UP] : []),
		...notKnown.map((text) => `Not known: ${text}`),
	];
	return [HEADLINES[name], ...own.map((line) => `  - ${line}`), ...others];
}

/** The page for the terminal. */
export function terminalPage({ service, verdict, findings }: CheckResult): string {
	const titles = [...new Set(findings.map(({ title }) => title))];
	const rows = titles.flatMap((title) => [
		title,
		...findings
			.filter((one) => one.title === title)
			.map(({ kind, text }) => `  ${MARKS[kind]} ${sentence(text)}`),
	]);
	return ['', `Does ${service} fit?`, '', ...rows, '', ...verdictLines(verdict), ''].join('\n');
}

const cell = (text: string) => text.replace(/\|/g, '\\|').replace(/\s+/g, ' ');

/** The page for the support of the provider: the verdict, and everything that was sent. */
export function markdownPage(
	{ service, checkedAt, verdict, findings }: CheckResult,
	check?: Check,
): string {
	const [headline, ...lines] = verdictLines(verdict);
	const rows = findings.map(
		({ title, kind, text }) => `| ${MARKS[kind]} | ${title} | ${cell(sentence(text))} |`,
	);
	return [
		`# Does ${service} fit the n8n payments nodes?`,
		'',
		`Checked on ${checkedAt}.`,
		'',
		`**${headline}**`,
		'',
		// Without an empty line, Markdown takes what follows a list for a part of it.
		...lines.flatMap((line) => (line.startsWith('  - ') ? line.slice(2) : ['', line, ''])),
		'',
		'## What was asked',
		'',
		'| | Question | What the check saw |',
		'| --- | --- | --- |',
		...rows,
		'',
		...(check ? ['## What was sent', '', ...evidenceOf(check)] : []),
		'',
	]
		.join('\n')
		.replace(/\n{3,}/g, '\n\n');
}

function evidenceOf({ service }: Check): string[] {
	const rows = service.sent.map(({ transaction, exchange }) => {
		const { eventId, amount, currency } = transaction;
		return `| ${cells([timeOf(exchange), eventId, `${amount} ${currency}`, exchange ? describeAnswer(exchange) : 'no response', outcomeOf(exchange)])} |`;
	});
	return [
		'| Time | Event ID | Amount | Answer | Outcome in the node |',
		'| --- | --- | --- | --- | --- |',
		...rows,
	];
}

/** The verdict, which has the settings, is above this table. */
const outcomeOf = (exchange: Exchange | undefined) =>
	exchange
		? `${exchange.says.outcome}${exchange.needsSettings ? ', with the settings above' : ''}`
		: 'unknown';

const cells = (texts: string[]) => texts.map(cell).join(' | ');

const timeOf = (exchange: Exchange | undefined) =>
	exchange ? new Date(exchange.sentAt).toISOString() : '';

/** What was sent until the check was interrupted. */
export function sentSoFar({ service }: Check): string {
	const { sent } = service;
	if (sent.length === 0) return 'No transaction was sent.';
	const lines = sent.map(
		({ transaction, exchange }) =>
			`  ${transaction.eventId}  ${exchange ? describeAnswer(exchange) : 'no response yet'}`,
	);
	return [`Interrupted. These Event IDs were sent until then:`, ...lines].join('\n');
}
