import type { SeenAnswer } from './Check';
import { leavesOf, mapLeaves } from './leaves';
import type { Answer, Exchange } from './ServiceUnderTest';

/** An answer in which IDs, amounts, and times are placeholders, which the sandbox fills in. */
export interface RecordedAnswer {
	status: number;
	headers: Record<string, string>;
	body?: unknown;
}

/** Headers that say something about the answer. The others belong to one connection. */
const KEPT_HEADERS =
	/^(content-type|retry-after|www-authenticate|(x-)?idempoten(t|cy)-replay(ed)?)$/;

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const ISO_TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})/g;
const DAY_MS = 86_400_000;

/** A shorter text can be part of a sentence by chance. */
const MIN_LENGTH = 4;

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Any of some texts, each as a whole, and not as a part of a longer word. */
const anyOf = (texts: string[]) =>
	new RegExp(
		`(?<![\\p{L}\\p{N}])(${texts.map(escape).join('|') || '(?!)'})(?![\\p{L}\\p{N}])`,
		'gu',
	);

/** Values by the placeholders that stand for them, the longest first. */
function placeholdersOf(
	values: Map<string, unknown>,
): Array<[placeholder: string, value: unknown]> {
	return [...values]
		.filter(([, value]) => (typeof value === 'string' && value !== '') || typeof value === 'number')
		.sort(([, one], [, other]) => String(other).length - String(one).length);
}

/** The values that the service gave a transaction: those that another transaction hasn't. */
export function assignedValues(created: Exchange, other: Exchange): Map<string, unknown> {
	const [leaves, others] = [created, other].map(({ answer }) => leavesOf(answer?.body));
	const sent = new Set(leavesOf(created.transaction).values());
	return new Map(
		[...leaves].filter(
			([path, value]) =>
				others.has(path) && others.get(path) !== value && !sent.has(value) && !isTime(value),
		),
	);
}

const isTime = (value: unknown): boolean =>
	typeof value === 'number' ? nowOf(value) !== undefined : String(value).match(ISO_TIME) !== null;

/** A number that is a time of today, in ms or s since the epoch. */
function nowOf(value: number): string | undefined {
	if (Math.abs(value - Date.now()) < DAY_MS) return '{{nowMs}}';
	return Math.abs(value * 1000 - Date.now()) < DAY_MS ? '{{nowS}}' : undefined;
}

/**
 * Replaces what belongs to one transaction by placeholders.
 *
 * @param assigned the values that the service gave this transaction, by their paths
 */
export function recordedAnswer(
	{ answer, exchange }: SeenAnswer,
	assigned: Map<string, unknown> = new Map(),
): RecordedAnswer {
	const values = placeholdersOf(
		new Map([
			...[...assigned].map(([path, value]): [string, unknown] => [`{{assigned:${path}}}`, value]),
			...[...leavesOf(exchange?.transaction ?? {})].map(([path, value]): [string, unknown] => [
				`{{${path}}}`,
				value,
			]),
		]),
	);
	const placeholderOf = (value: unknown) => values.find(([, one]) => one === value)?.[0];
	const texts = values.map(([, one]) => one).filter((one) => typeof one === 'string');
	const known = anyOf(texts.filter(({ length }) => length >= MIN_LENGTH));
	const replace = (value: unknown): unknown => {
		const whole = placeholderOf(value);
		if (whole !== undefined) return whole;
		if (typeof value === 'number') return nowOf(value) ?? value;
		if (typeof value !== 'string') return value;
		return value
			.replace(known, (text) => placeholderOf(text)!)
			.replace(ISO_TIME, '{{now}}')
			.replace(UUID, '{{random}}');
	};
	return {
		status: answer.status,
		headers: headersOf(answer),
		...(answer.body !== undefined &&
			answer.body !== '' && { body: mapLeaves(answer.body, replace) }),
	};
}

const headersOf = ({ headers }: Answer): Record<string, string> =>
	Object.fromEntries(
		Object.entries(headers)
			.filter(([name]) => KEPT_HEADERS.test(name.toLowerCase()))
			.map(([name, value]) => [name.toLowerCase(), String(value)]),
	);
