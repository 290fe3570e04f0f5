import { ExpressionParser, type IExecuteFunctions } from 'n8n-workflow';

import { failed, ok, type Result } from '../../shared/result';
import { isEmpty, quote } from '../../shared/values';
import { isNoPart } from '../identifierFlaws';

/*
 * All expressions of an item are evaluated by n8n's engine together, because an evaluation costs
 * it 0.3 to 0.6 ms, whatever it evaluates: 12 fields of 10,000 items take a minute one by one, and
 * 7 seconds together (n8n 2.41.1, 2 cores).
 */

/** A parameter that n8n's engine evaluates. */
interface Expression {
	/** What is between the braces. */
	codes: string[];
	/** The text before, between, and behind the codes; `undefined` if there is one code alone. */
	texts?: string[];
}

/**
 * The value of a code, or why it has none. Inside a text, it's text, and `type` is what it was:
 * `list`, or what JavaScript calls it.
 */
type Evaluated = { value: unknown; type?: string } | { reason: string };

/**
 * Returns the function that reads parameters for the item with an index, by name.
 *
 * @param rawByName the parameters as typed (n8n: `rawExpressions`)
 * @param identifiers the names of those that are IDs
 */
export function parameterReader<Name extends string>(
	context: IExecuteFunctions,
	rawByName: ReadonlyMap<Name, unknown>,
	identifiers: ReadonlySet<Name> = new Set(),
): {
	read: (itemIndex: number) => Map<Name, Result<unknown>>;
	/** The JavaScript of those that have an expression. */
	codeByName: Map<Name, string>;
} {
	const fixed = new Map<Name, Result<unknown>>();
	const expressions = new Map<Name, Expression>();
	for (const [name, raw] of rawByName) {
		const expression = parseExpression(raw);
		if (expression.value) expressions.set(name, expression.value);
		else fixed.set(name, expression.problem ? expression : ok(textOf(raw)));
	}

	function read(itemIndex: number): Map<Name, Result<unknown>> {
		if (expressions.size === 0) return fixed;
		const values = new Map(fixed);
		const evaluated = evaluate(context, [...expressions.values()], itemIndex);
		let start = 0;
		for (const [name, expression] of expressions) {
			const ofExpression = evaluated.slice(start);
			values.set(name, join(expression, ofExpression, identifiers.has(name)));
			start += expression.codes.length;
		}
		return values;
	}
	const codeByName = new Map([...expressions].map(([name, one]) => [name, codeOf(one)]));
	return { read, codeByName };
}

/** Writes an expression, also one inside a text, as JavaScript. */
function codeOf({ codes, texts }: Expression): string {
	if (!texts) return codes[0];
	const [first, ...others] = texts.map((text) => JSON.stringify(text));
	return [first, ...codes.flatMap((code, index) => [`(${code})`, others[index]])].join(' + ');
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
	// A semicolon at the end is no part of an expression, but n8n allows it.
	const codes = chunks
		.filter(({ type }) => type === 'code')
		.map(({ text }) => text.replace(/;\s*$/, '').trim());
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

/** @returns what each code of the expressions gives */
function evaluate(
	context: IExecuteFunctions,
	expressions: readonly Expression[],
	itemIndex: number,
): Evaluated[] {
	const codes = expressions.flatMap((expression) => expression.codes);
	let reason = "it isn't one expression";
	try {
		const values: unknown = context.evaluateExpression(compose(expressions), itemIndex);
		// What isn't one expression, such as `1), (2`, gives another number of values.
		if (Array.isArray(values) && values.length === codes.length) return values as Evaluated[];
	} catch (error) {
		reason = (error as Error).message;
	}
	// Each alone shows which of them it is.
	if (expressions.length > 1)
		return expressions.flatMap((expression) => evaluate(context, [expression], itemIndex));
	return codes.map(() => ({ reason }));
}

/**
 * Runs in the engine. Only plain data leaves it, so dates become ISO 8601 text. A code inside a
 * text becomes text, as JavaScript joins it.
 */
const EVALUATE_IN_ENGINE = `((codes, isInText) => codes.map((code, index) => {
	try {
		const value = code();
		if (typeof value === 'function') return { reason: 'it is a function' };
		const type = Array.isArray(value) ? 'list' : typeof value;
		if (isInText[index]) return { value: [value].join(''), type };
		if (value instanceof Date) return { value: value.toISOString() };
		const isDateTime = value && typeof value.toISO === 'function';
		return { value: isDateTime ? value.toISO() ?? String(value) : value };
	} catch (thrown) {
		return { reason: thrown.message };
	}
}))`;

function compose(expressions: readonly Expression[]): string {
	const functions = expressions.flatMap(({ codes }) => codes.map((code) => `() => (${code}\n)`));
	const isInText = expressions.flatMap(({ codes, texts }) => codes.map(() => texts !== undefined));
	const text = ` ${EVALUATE_IN_ENGINE}([${functions.join(', ')}], [${isInText.join(', ')}]) `;
	return ExpressionParser.joinExpression([
		{ type: 'text', text: '' },
		{ type: 'code', text, hasClosingBrackets: true },
	]);
}

const notEvaluated = (reason: string) =>
	failed(
		`The expression can't be evaluated: ${reason}`,
		'Correct the expression. The editor shows its result below the field.',
	);

/** Texts of values that have no text form. */
const UNUSABLE_TEXTS = new Set(['undefined', 'null', 'NaN', 'Invalid Date', 'Invalid DateTime']);
const isUnusable = (text: string) => UNUSABLE_TEXTS.has(text.trim()) || text.includes('[object ');

/** Says what a value is that can't be a part of an ID. `undefined` for one that can. */
function describeNoPart(text: string, type: string | undefined): string | undefined {
	if (type === 'list') return 'a list';
	if (type === 'object') return 'an object';
	if (type === 'boolean') return text;
	if (isNoPart(text)) return quote(text);
	const isInexact = type === 'number' && Math.abs(Number(text)) > Number.MAX_SAFE_INTEGER;
	return isInexact ? `${text}, a number whose last digits are lost` : undefined;
}

const IN_TEXT = 'Correct it, or, if it may be empty, write the whole text as one expression.';
/** An expression for the whole text would only hide that there is no value. */
const IN_ID =
	"Correct it, or filter out the items without a value. If the value is meant, write another word for it, such as {{ $json.paid ? 'paid' : 'open' }}.";

/**
 * Puts the values of its codes into a text. Each must have one: `INV-` without its number would be
 * the External ID of every such transaction, and the service would deduplicate all but the first.
 */
function join(
	{ codes, texts }: Expression,
	evaluated: readonly Evaluated[],
	isId: boolean,
): Result<unknown> {
	let joined = texts?.[0] ?? '';
	for (const [index, code] of codes.entries()) {
		const one = evaluated[index];
		if ('reason' in one) return notEvaluated(one.reason);
		if (!texts) return ok(one.value);
		const text = String(one.value);
		const noPart = isId ? describeNoPart(text, one.type) : undefined;
		if (isEmpty(text) || isUnusable(text) || noPart !== undefined) {
			const found = isEmpty(text) ? 'has no value' : `gives ${noPart ?? quote(text)}`;
			return failed(
				`The expression {{ ${code} }} inside the text ${found}`,
				isId ? IN_ID : IN_TEXT,
			);
		}
		joined += text + texts[index + 1];
	}
	return ok(joined);
}
