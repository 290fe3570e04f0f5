import type { Check } from './Check';
import { answerOf, valuesOf, type Attempt } from './reading';
import type { Exchange } from './Service';
import { verdictOf, type Finding, type VerdictName } from './verdict';

const HEADLINES: Record<VerdictName, string> = {
	fits: 'It fits.',
	fitsIfSet: 'It fits if you set:',
	fitsBut: 'It fits, but:',
	notKnown: "It isn't known whether it fits. Look at the service, or ask the provider:",
	doesntFit: "It doesn't fit, because:",
	endedEarly: "It isn't known whether it fits, because the check ended early:",
};
const MARKS: Record<Finding['kind'], string> = {
	fits: '✓',
	note: '·',
	set: '!',
	but: '!',
	toKnow: '!',
	doesntFit: '✗',
	endedEarly: '?',
	lookUp: '?',
};
const MAX_LENGTH = 200;

export const sentence = (text: string) =>
	`${text[0].toUpperCase()}${text.slice(1)}${/[.…]$/.test(text) ? '' : '.'}`;

/** What came back, in a few words. */
export function describeAnswer(attempt: Attempt): string {
	const answer = answerOf(attempt);
	if (!answer) return 'no response';
	const { status, body } = answer;
	if (body === undefined || body === null || body === '') return `${status} without a body`;
	const text = typeof body === 'string' ? body.replace(/\s+/g, ' ') : JSON.stringify(body);
	return `${status} ${text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text}`;
}

export const describeSays = ({ says }: Exchange): string => `The node says: ${says.message}`;

/** What was found, for the pages. */
export interface Result {
	service: string;
	checkedAt: string;
	findings: Array<{ title: string } & Finding>;
	check?: Check;
}

export const CODES_FIELD = 'Payments API → Codes for Recorded Already';

/** The verdict and its reasons, one line each. */
export function verdictLines({ findings, check }: Pick<Result, 'findings' | 'check'>): string[] {
	const name = verdictOf(findings);
	const linesOf = (kind: Finding['kind']): string[] =>
		bulleted(findings.flatMap((one) => (one.kind === kind ? sentence(lineOf(one)) : [])));
	// The last one about a field has all that is entered there.
	const values = new Map(
		findings.flatMap((one) => (one.kind === 'set' ? [[one.field, one.value] as const] : [])),
	);
	const settings = bulleted([...values].map(([field, value]) => `${field}: ${value}`));
	const sections: Array<[VerdictName, title: string, lines: string[]]> = [
		['endedEarly', '', linesOf('endedEarly')],
		['doesntFit', HEADLINES.doesntFit, linesOf('doesntFit')],
		['notKnown', 'Look at the service, too:', linesOf('lookUp')],
		['fitsIfSet', 'Set as well:', settings],
		['fitsBut', 'Each time:', linesOf('but')],
	];
	const lines = [
		...sections.flatMap(([verdict, , found]) => (verdict === name ? found : [])),
		...sections.flatMap(([verdict, title, found]) =>
			verdict === name ? [] : titled(title, found),
		),
	];
	const given = check?.setup.credential.recordedCodes;
	const entered =
		given && !values.has(CODES_FIELD) ? [`This is with ${CODES_FIELD}: ${given}`] : [];
	return [HEADLINES[name], ...lines, ...entered, ...titled('What to know:', linesOf('toKnow'))];
}

const lineOf = (finding: Finding): string =>
	finding.kind === 'lookUp' ? `Event ID ${finding.eventId} ${finding.question}` : finding.text;

const titled = (title: string, lines: string[]) => (lines.length > 0 ? [title, ...lines] : []);

/** What is said twice stands once. */
const bulleted = (texts: string[]): string[] => [...new Set(texts)].map((one) => `  - ${one}`);

/** The page for the terminal. */
export function terminalPage(result: Result): string {
	const { service, findings } = result;
	const lines = [...new Set(findings.map(({ title }) => title))].flatMap((title) => {
		const found = findings.filter((one) => one.title === title);
		const texts = found.map(({ kind, text }) => `  ${MARKS[kind]} ${sentence(text)}`);
		// Two settings can have one reason.
		return [title, ...new Set(texts)];
	});
	return ['', `Does ${service} fit?`, '', ...lines, '', ...verdictLines(result), ''].join('\n');
}

const row = (cells: string[]) =>
	`| ${cells.map((cell) => cell.replace(/\|/g, '\\|').replace(/\s+/g, ' ')).join(' | ')} |`;

/** What a request has otherwise than the first one with its Event ID, such as "amount: 1.07". */
function changesIn({ transaction }: Exchange, sent: Exchange[]): string {
	const first = sent.find((one) => one.transaction.eventId === transaction.eventId)!;
	const [before, now] = [first.transaction, transaction].map((content) =>
		valuesOf(content).map(({ path, value }) => `${path.join('.')}: ${value}`),
	);
	return now.filter((one) => !before.includes(one)).join(', ');
}

/** The page for the provider: the same, and everything that was sent. */
export function markdownPage(result: Result): string {
	const { service, checkedAt, check } = result;
	const sent = check?.service.sent ?? [];
	const rows = sent.map((exchange) =>
		row([
			new Date(exchange.sentAt).toISOString(),
			exchange.transaction.eventId,
			exchange.key || '–',
			`${exchange.transaction.amount} ${exchange.transaction.currency}`,
			changesIn(exchange, sent) || '–',
			describeAnswer(exchange),
			answerOf(exchange)?.requestId ?? '–',
			exchange.says.outcome,
		]),
	);
	return [
		`# Does ${service} fit the n8n payments nodes?\n`,
		`Checked on ${checkedAt}.\n`,
		`\`\`\`text${terminalPage(result)}\`\`\`\n`,
		'## What was sent\n',
		'| Time | Event ID | Idempotency-Key | Amount | Changed under this Event ID | Answer | Request ID | Outcome in the node |',
		'| --- | --- | --- | --- | --- | --- | --- | --- |',
		...rows,
		'',
	].join('\n');
}
