import { isReplay } from '../../nodes/Payments/sending/response/codes';
import { readErrorBody } from '../../nodes/Payments/sending/response/errorBody';
import { verdictOf, type Check, type Finding, type VerdictName } from './Check';
import type { Answer, Exchange } from './Service';

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

/** The verdict and its reasons, one line each. */
export function verdictLines({ findings }: Pick<Result, 'findings'>): string[] {
	const name = verdictOf(findings);
	const settings = findings.flatMap((one) =>
		one.kind === 'set' ? `  - ${one.field}: ${one.value}. ${sentence(one.text)}` : [],
	);
	const reasons = findings.flatMap((one) => {
		if (name === 'doesntFit' && one.kind === 'doesntFit') return `  - ${sentence(one.text)}`;
		return name === 'notKnown' && one.kind === 'lookUp' ? `  - Event ID ${one.eventId}` : [];
	});
	if (name === 'fitsIfSet') return [HEADLINES[name], ...settings];
	const alsoSet = settings.length > 0 ? ['Set as well:', ...settings] : [];
	return [HEADLINES[name], ...reasons, ...alsoSet];
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
	const sent = (check?.service.sent ?? []).map(({ transaction, exchange }) =>
		row([
			exchange ? new Date(exchange.sentAt).toISOString() : '',
			transaction.eventId,
			`${transaction.amount} ${transaction.currency}`,
			exchange ? describeAnswer(exchange) : 'no response',
			exchange?.says.outcome ?? 'unknown',
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
	].join('\n');
}

/** The content of `service.json`, which the sandbox plays (CheckedService of its contract). */
export function jsonOf({ service, checkedAt, findings, check }: Result): object {
	const answers = Object.entries(check?.seen ?? {}).flatMap(([name, answer]) =>
		answer ? [[name, playedAnswer(answer)]] : [],
	);
	return {
		check: 1,
		service,
		checkedAt,
		verdict: verdictOf(findings),
		findings,
		behavior: { answers: Object.fromEntries(answers) as object, latencyMs: check?.first?.ms },
	};
}

function playedAnswer({ status, headers, body }: Answer): object {
	const { codes, messages } = readErrorBody(body, status);
	const seconds = Number(headers['retry-after'] ?? NaN);
	return {
		status,
		...(status >= 300 && { code: codes.at(0), message: messages.at(0) }),
		...(seconds >= 0 && { retryAfter: seconds }),
		...(isReplay(headers) && { replayed: true }),
	};
}

/** What was sent until the check was interrupted. */
export const sentSoFar = ({ service }: Check): string =>
	service.sent.length === 0
		? 'No transaction was sent.'
		: [
				'Interrupted. These Event IDs were sent until then:',
				...service.sent.map(
					({ transaction, exchange }) =>
						`  ${transaction.eventId}  ${exchange ? describeAnswer(exchange) : 'no response yet'}`,
				),
			].join('\n');
