import { isReplay } from '../../nodes/Payments/sending/response/codes';
import type { CheckedService, SeenAnswer } from '../types';
import { verdictOf, type Check, type Finding, type VerdictName } from './Check';
import type { ServiceResponse } from '../../nodes/Payments/sending/response/responseBody';
import type { Exchange } from './Service';

const HEADLINES: Record<VerdictName, string> = {
	fits: 'It fits.',
	fitsIfSet: 'It fits if you set:',
	doesntFit: "It doesn't fit, because:",
	notKnown: "It isn't known whether it fits. Each of these must be at the service exactly once:",
};
const MARKS: Record<Finding['kind'], string> = {
	fits: '✓',
	note: '·',
	set: '!',
	doesntFit: '✗',
	lookUp: '?',
};
const MAX_LENGTH = 200;

/** What no answer shows (docs/does-it-fit.md). */
export const PROVIDER_QUESTIONS = [
	"For how long do you remember an `eventId`, so that a second request with it isn't recorded again?",
	'Do you use the answer to a repeated `eventId` for any other reason?',
	'Can a request that you answered with 500, 502, 503, or 504 be recorded all the same?',
	'How many requests per second, and how many at the same time, do you accept from one client?',
	"For how long, and how often, do you retry a webhook delivery that isn't answered with 2xx? Is each attempt signed anew?",
];

export const sentence = (text: string) =>
	`${text[0].toUpperCase()}${text.slice(1)}${/[.…]$/.test(text) ? '' : '.'}`;

/** What came back, in a few words. */
export function describeAnswer({ answer }: Pick<Exchange, 'answer'>): string {
	if (!answer) return 'no response';
	const { status, body } = answer;
	if (body === undefined || body === null || body === '') return `${status} without a body`;
	const text = typeof body === 'string' ? body.replace(/\s+/g, ' ') : JSON.stringify(body);
	return `${status} ${text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text}`;
}

/** What was found, for the pages and for `service.json`. */
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
	// The last one about a field has all that is entered there.
	const values = new Map(
		findings.flatMap((one) => (one.kind === 'set' ? [[one.field, one.value] as const] : [])),
	);
	const settings = [...values].map(([field, value]) => `  - ${field}: ${value}`);
	const reasons = findings.flatMap((one) => {
		if (name === 'doesntFit' && one.kind === 'doesntFit') return sentence(one.text);
		return name === 'notKnown' && one.kind === 'lookUp' ? `Event ID ${one.eventId}` : [];
	});
	const given = check?.setup.recordedCodes;
	const entered =
		given && !values.has(CODES_FIELD) ? [`This is with ${CODES_FIELD}: ${given}`] : [];
	if (name === 'fitsIfSet') return [HEADLINES[name], ...settings, ...entered];
	const alsoSet = settings.length > 0 ? ['Set as well:', ...settings] : [];
	const lines = [...new Set(reasons)].map((one) => `  - ${one}`);
	return [HEADLINES[name], ...lines, ...alsoSet, ...entered];
}

/** The page for the terminal. */
export function terminalPage(result: Result): string {
	const { service, findings } = result;
	const lines = findings.map((one, index) => {
		const heading = one.title === findings[index - 1]?.title ? '' : `${one.title}\n`;
		return `${heading}  ${MARKS[one.kind]} ${sentence(one.text)}`;
	});
	return ['', `Does ${service} fit?`, '', ...lines, '', ...verdictLines(result), ''].join('\n');
}

const row = (cells: string[]) =>
	`| ${cells.map((cell) => cell.replace(/\|/g, '\\|').replace(/\s+/g, ' ')).join(' | ')} |`;

/** The page for the support of the provider: the same, and everything that was sent. */
export function markdownPage(result: Result): string {
	const { service, checkedAt, check } = result;
	const sent = (check?.service.sent ?? []).map((exchange) =>
		row([
			new Date(exchange.sentAt).toISOString(),
			exchange.transaction.eventId,
			`${exchange.transaction.amount} ${exchange.transaction.currency}`,
			describeAnswer(exchange),
			exchange.says.outcome,
		]),
	);
	return [
		`# Does ${service} fit the n8n payments nodes?\n`,
		`Checked on ${checkedAt}.\n`,
		`\`\`\`text${terminalPage(result)}\`\`\`\n`,
		'## What was sent\n',
		'| Time | Event ID | Amount | Answer | Outcome in the node |\n| --- | --- | --- | --- | --- |',
		...sent,
		'',
		'## What only you know\n',
		...PROVIDER_QUESTIONS.map((question, index) => `${index + 1}. ${question}`),
		'',
	].join('\n');
}

/** The content of `service.json`, which the sandbox plays (CheckedService of its contract). */
export function jsonOf({ service, checkedAt, check }: Result): CheckedService {
	const answers = Object.entries(check?.seen ?? {}).flatMap(([name, answer]) =>
		answer ? [[name, playedAnswer(answer)] as const] : [],
	);
	const behavior = { answers: Object.fromEntries(answers), latencyMs: check?.first?.ms };
	return { check: 1, service, checkedAt, behavior };
}

function playedAnswer({ status, headers, body }: ServiceResponse): SeenAnswer {
	const { codes, messages } = readTexts(body, status);
	const seconds = Number(headers['retry-after'] ?? NaN);
	return {
		status,
		...(status >= 300 && { code: codes.at(0), message: messages.at(0) }),
		...(seconds >= 0 && { retryAfter: seconds }),
		...(isReplay(headers) && { replayed: true }),
	};
}

/** The texts and numbers of a body, by whether they're sentences. */
export function readTexts(body: unknown, status: number) {
	const textsIn = (value: unknown): string[] =>
		typeof value === 'object' && value !== null
			? Object.values(value).flatMap(textsIn)
			: [typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''];
	const texts = textsIn(body).filter((text) => text !== '' && text !== String(status));
	return {
		codes: texts.filter((text) => !text.includes(' ')),
		messages: texts.filter((text) => text.includes(' ')),
	};
}
