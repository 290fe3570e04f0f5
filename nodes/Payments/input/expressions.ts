import { parseTemplate, type ExpressionText, type Template } from './template';

/** The steps from the item's JSON to a value: names of members and positions in lists. */
type Path = ReadonlyArray<string | number>;

/** A parameter as typed, by what it takes to get its value. */
export type Parameter =
	/** The same value for every item. */
	| { kind: 'static'; value: unknown }
	/** A field dragged from the input: `={{ $json.path }}`, or `$json` itself, with an empty path. */
	| { kind: 'dragged'; path: Path; expression: string }
	/** One expression and nothing around it. */
	| { kind: 'expression'; code: string; expression: string }
	| TemplateParameter
	/** An expression that n8n doesn't evaluate, because the field isn't switched to Expression. */
	| { kind: 'expressionInFixedField' };

/** Text with expressions in it. */
export interface TemplateParameter {
	kind: 'template';
	template: Template;
	/** The path of each expression that is a dragged field. */
	paths: Array<Path | undefined>;
	expression: string;
}

// The engine reads a line break between quotes, and a number such as 010, in its own way.
const STEP = /\.([A-Za-z_$][\w$]*)|\[(?:"([^"\\\r\n]*)"|'([^'\\\r\n]*)'|(0|[1-9]\d{0,8}))\]/y;
const EXPRESSION = /\{\{[^]*\}\}/;
/** n8n rejects an expression that contains this, also as the beginning of a longer name. */
const REJECTED_BY_N8N = /\.\s*constructor/;

/**
 * Finds out what it takes to get the value of a parameter. For a dragged field, the editor writes
 * exactly `={{ $json.path }}` or `={{ $json["a b"] }}`.
 *
 * @param raw the parameter as typed (n8n: `rawExpressions`)
 * @param isSafe whether the engine returns a member of this name. It doesn't for `constructor`.
 */
export function parseParameter(raw: unknown, isSafe: (name: string) => boolean): Parameter {
	if (typeof raw !== 'string') return { kind: 'static', value: raw };
	if (!raw.startsWith('='))
		return EXPRESSION.test(raw)
			? { kind: 'expressionInFixedField' }
			: { kind: 'static', value: raw };
	const expression = raw.slice(1);
	const template = parseTemplate(expression);
	const { texts, codes, isClosed } = template;
	if (codes.length === 0) return { kind: 'static', value: expression };
	const paths = codes.map((code) => parsePath(code.trim(), isSafe));
	const hasTextAround = texts.some((text) => text.trim() !== '');
	if (codes.length > 1 || hasTextAround || !isClosed)
		return { kind: 'template', template, paths, expression };
	const [path] = paths;
	return path
		? { kind: 'dragged', path, expression }
		: { kind: 'expression', code: codes[0], expression };
}

function parsePath(code: string, isSafe: (name: string) => boolean): Path | undefined {
	if (!code.startsWith('$json') || REJECTED_BY_N8N.test(code)) return undefined;
	const path: Array<string | number> = [];
	STEP.lastIndex = '$json'.length;
	while (STEP.lastIndex < code.length) {
		const match = STEP.exec(code);
		if (!match) return undefined;
		const [, afterDot, inDoubleQuotes, inSingleQuotes, position] = match;
		const step =
			position === undefined ? (afterDot ?? inDoubleQuotes ?? inSingleQuotes) : Number(position);
		if (!isSafe(String(step))) return undefined;
		path.push(step);
	}
	return path;
}

/**
 * Reads a dragged field from the item, if the engine would certainly return the same value.
 *
 * @returns `undefined` if the engine may see it differently, so that the caller has to evaluate the
 *   expression: a step into nothing, an inherited member such as `length`, or no plain data
 */
export function readPath(json: unknown, path: Path): { value: unknown } | undefined {
	let current = json;
	for (const [index, step] of path.entries()) {
		if (typeof current !== 'object' || current === null) return undefined;
		const isLastStep = index === path.length - 1;
		if (Object.hasOwn(current, step)) current = (current as Record<string, unknown>)[step];
		else if (isLastStep && !(step in current)) return { value: undefined };
		else return undefined;
	}
	return isPlain(current) ? { value: current } : undefined;
}

const isPlain = (value: unknown) => {
	if (typeof value !== 'object' || value === null)
		return typeof value !== 'function' && typeof value !== 'symbol' && typeof value !== 'bigint';
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
};

/**
 * Formats a `Date`, or a `DateTime` of Luxon such as `$now`, as ISO 8601 text. Returns an invalid
 * date, and anything else, unchanged.
 */
export function formatDates(value: unknown): unknown {
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? value : value.toISOString();
	const isDateTime =
		typeof value === 'object' &&
		value !== null &&
		'toISO' in value &&
		typeof value.toISO === 'function';
	return isDateTime ? ((value as { toISO(): unknown }).toISO() ?? value) : value;
}

/**
 * Formats the value of an expression inside a text as n8n does: it joins a list of one
 * (@n8n/tournament, ExpressionBuilder).
 *
 * @returns null for a value that n8n leaves out, and for a function, which it would print
 */
export function formatInText(value: unknown): ExpressionText {
	const hasNoText =
		value === undefined || value === null || Number.isNaN(value) || typeof value === 'function';
	if (hasNoText) return null;
	const text: unknown = value || value === 0 || value === false ? value : '';
	return String([text]);
}

/** An expression that is evaluated together with others. */
export interface ComposedCode {
	/** What is between the braces. */
	code: string;
	/** Whether the expression is inside a text. Its value is then formatted as text. */
	isInText: boolean;
}

/** Whether an expression has no braces, which would end the composed expression. */
export const isComposable = (code: string) => !/\{\{|\}\}/.test(code);

/**
 * Composes several expressions into one that returns a list of their values, because each
 * evaluation costs time.
 *
 * It formats the values as `formatDates` and `formatInText` do, because only plain data leaves the
 * engine. If one of them is a function, it returns null: evaluated alone, n8n says what is wrong.
 */
export function composeExpressions(composed: ComposedCode[]): string {
	const values = composed.map(({ code }) => `(${code}\n)`).join(',');
	const inText = composed.map(({ isInText }) => Number(isInText)).join(',');
	return `{{ ((values, inText) =>
	values.some((v, i) => !inText[i] && typeof v === 'function')
		? null
		: values.map((v, i) =>
			inText[i]
				? v === undefined || v === null || v !== v || typeof v === 'function'
					? null
					: [v || v === 0 || v === false ? v : ''].join('')
				: v instanceof Date
					? v.toISOString()
					: v && typeof v.toISO === 'function'
						? v.toISO() ?? v
						: v)
)([${values}], [${inText}]) }}`;
}
