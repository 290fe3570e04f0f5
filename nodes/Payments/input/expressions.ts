import { ExpressionParser, type IExecuteFunctions } from 'n8n-workflow';

import { failed, ok, type Result } from '../../shared/result';
import { isEmpty, quote } from '../../shared/values';

/** Reads the values of the parameters for the item with this index, by name. */
export type ReadParameters<Name extends string> = (itemIndex: number) => Map<Name, Result<unknown>>;

/** A parameter that n8n's engine evaluates. */
interface Expression {
	/** What is between the braces. */
	codes: string[];
	/** The text before, between, and behind the codes; `undefined` if there is one code alone. */
	texts?: string[];
}

/** What the composed expression returns for each code: its value, or why it has none. */
type Evaluated = { value: unknown } | { reason: string };

/**
 * Returns the function that reads parameters. All expressions of an item are evaluated by n8n's
 * engine together, because each evaluation costs time.
 *
 * @param rawByName the parameters as typed (n8n: `rawExpressions`)
 */
export function parameterReader<Name extends string>(
	context: IExecuteFunctions,
	rawByName: ReadonlyMap<Name, unknown>,
): { read: ReadParameters<Name>; expressionNames: ReadonlySet<Name> } {
	const fixed = new Map<Name, Result<unknown>>();
	const expressions = new Map<Name, Expression>();
	for (const [name, raw] of rawByName) {
		const expression = parseExpression(raw);
		if (expression.value) expressions.set(name, expression.value);
		else fixed.set(name, expression.problem ? expression : ok(textOf(raw)));
	}
	const composed = compose([...expressions.values()]);
	const codeCount = [...expressions.values()].flatMap(({ codes }) => codes).length;

	function read(itemIndex: number): Map<Name, Result<unknown>> {
		if (expressions.size === 0) return fixed;
		const values = new Map(fixed);
		const together = evaluate(context, composed, codeCount, itemIndex);
		let start = 0;
		for (const [name, expression] of expressions) {
			const { length } = expression.codes;
			// If the engine can't read one of them, each alone shows which.
			const evaluated = together.value?.slice(start, start + length);
			values.set(
				name,
				evaluated ? join(expression, evaluated) : readAlone(context, expression, itemIndex),
			);
			start += length;
		}
		return values;
	}
	return { read, expressionNames: new Set(expressions.keys()) };
}

/** n8n stores a field that is set to Expression with an equals sign before it. */
const textOf = (raw: unknown) =>
	typeof raw === 'string' && raw.startsWith('=') ? raw.slice(1) : raw;

/** @returns `undefined` for a parameter without an expression */
function parseExpression(raw: unknown): Result<Expression | undefined> {
	if (typeof raw !== 'string' || !raw.includes('{{')) return ok(undefined);
	if (!raw.startsWith('=')) {
		if (!raw.includes('}}')) return ok(undefined);
		const message = 'The text has an expression in braces, but the field is set to Fixed';
		return failed(message, 'Switch the field to Expression.');
	}
	const chunks = ExpressionParser.splitExpression(raw.slice(1));
	const codes = chunks.filter(({ type }) => type === 'code').map(({ text }) => text);
	const texts = [''];
	for (const { type, text } of chunks) {
		if (type === 'code') texts.push('');
		else texts[texts.length - 1] += text;
	}
	// n8n's engine reads these otherwise than its parser, which the editor uses.
	if (texts.some((text) => /\\\\|\{\{/.test(text))) {
		return failed(
			'The text around the expression has two backslashes, or a backslash before the braces',
			"Write the whole text as one expression, such as {{ 'INV-' + $json.no }}.",
		);
	}
	const isAlone = codes.length === 1 && texts.every((text) => text.trim() === '');
	return ok(isAlone ? { codes } : { codes, texts });
}

/**
 * Composes one expression that returns an `Evaluated` for each code. Only plain data leaves the
 * engine, so dates become ISO 8601 text. A code inside a text becomes text, as JavaScript joins it.
 */
function compose(expressions: readonly Expression[]): string {
	// A semicolon at the end is no part of an expression, but n8n allows it.
	const codes = expressions.flatMap((expression) => expression.codes);
	const functions = codes.map((code) => `() => (${code.replace(/;\s*$/, '')}\n)`);
	const inText = expressions.flatMap(({ codes: own, texts }) => own.map(() => texts !== undefined));
	const text = ` ((codes, inText) => codes.map((code, index) => {
	try {
		const value = code();
		if (typeof value === 'function') return { reason: 'it is a function' };
		if (inText[index]) return { value: [value].join('') };
		if (value instanceof Date) return { value: value.toISOString() };
		const isDateTime = value && typeof value.toISO === 'function';
		return { value: isDateTime ? value.toISO() ?? String(value) : value };
	} catch (thrown) {
		return { reason: thrown.message };
	}
}))([${functions.join(', ')}], [${inText.join(', ')}]) `;
	return ExpressionParser.joinExpression([
		{ type: 'text', text: '' },
		{ type: 'code', text, hasClosingBrackets: true },
	]);
}

/** @param codeCount what isn't one expression, such as `1), (2`, gives another number of values */
function evaluate(
	context: IExecuteFunctions,
	composed: string,
	codeCount: number,
	itemIndex: number,
): Result<Evaluated[]> {
	try {
		const values: unknown = context.evaluateExpression(composed, itemIndex);
		if (Array.isArray(values) && values.length === codeCount) return ok(values as Evaluated[]);
		return notEvaluated("it isn't one expression");
	} catch (error) {
		return notEvaluated((error as Error).message);
	}
}

function readAlone(
	context: IExecuteFunctions,
	expression: Expression,
	itemIndex: number,
): Result<unknown> {
	const { length } = expression.codes;
	const evaluated = evaluate(context, compose([expression]), length, itemIndex);
	return evaluated.problem ? evaluated : join(expression, evaluated.value);
}

const notEvaluated = (reason: string) =>
	failed(
		`The expression can't be evaluated: ${reason}`,
		'Correct the expression. The editor shows its result below the field.',
	);

/** Texts of values that have no text form. */
const UNUSABLE_TEXTS = new Set(['undefined', 'null', 'NaN', 'Invalid Date', 'Invalid DateTime']);
const isUnusable = (text: string) => UNUSABLE_TEXTS.has(text.trim()) || text.includes('[object ');

/**
 * Puts the values of its codes into a text. Each must have one: `INV-` without its number would be
 * the External ID of every such payment, and the service would deduplicate all but the first.
 */
function join({ codes, texts }: Expression, evaluated: readonly Evaluated[]): Result<unknown> {
	let joined = texts?.[0] ?? '';
	for (const [index, code] of codes.entries()) {
		const one = evaluated[index];
		if ('reason' in one) return notEvaluated(one.reason);
		if (!texts) return ok(one.value);
		const text = String(one.value);
		if (isEmpty(text) || isUnusable(text)) {
			const found = isEmpty(text) ? 'has no value' : `gives ${quote(text)}`;
			return failed(
				`The expression {{ ${code.trim()} }} inside the text ${found}`,
				'Correct it, or, if it may be empty, write the whole text as one expression.',
			);
		}
		joined += text + texts[index + 1];
	}
	return ok(joined);
}
