import { failed, ok, type Result } from '../../shared/result';
import { quote } from '../../shared/values';

/** Text with expressions in it, such as `INV-{{ $json.number }}`. */
export interface Template {
	/** The text before, between, and behind the expressions: one more than there are expressions. */
	texts: string[];
	/** What is between the braces of each expression, as typed. */
	codes: string[];
	/** Whether the last expression has its closing braces. n8n evaluates it without them, too. */
	isClosed: boolean;
}

const BRACES = /(\\*)(\{\{|\}\})/g;

/**
 * Splits text into expressions and the text around them, as n8n does (@n8n/tournament,
 * ExpressionSplitter). Braces behind an odd number of backslashes are text.
 */
export function parseTemplate(expression: string): Template {
	const texts: string[] = [];
	const codes: string[] = [];
	let start = 0;
	let isInCode = false;
	for (const { index, 1: backslashes, 2: braces } of expression.matchAll(BRACES)) {
		const isEscaped = backslashes.length % 2 === 1;
		const endsPart = braces === (isInCode ? '}}' : '{{');
		if (isEscaped || !endsPart) continue;
		const end = index + backslashes.length;
		const part = expression.slice(start, end);
		if (isInCode) codes.push(part);
		else texts.push(part.replaceAll('\\\\', '\\'));
		start = end + braces.length;
		isInCode = !isInCode;
	}
	const rest = expression.slice(start);
	if (isInCode) codes.push(rest);
	texts.push(isInCode ? '' : rest);
	return { texts, codes, isClosed: !isInCode };
}

/** The text that n8n puts in place of an expression. null if it has no value. */
export type ExpressionText = string | null;

/** Texts of values that have no text form. */
const UNUSABLE_TEXTS = new Set(['undefined', 'null', 'NaN', 'Invalid Date', 'Invalid DateTime']);
const isUnusable = (text: string) => UNUSABLE_TEXTS.has(text.trim()) || text.includes('[object ');

/**
 * Inserts the texts of its expressions into a template. Each must have one: `INV-` without its
 * number would be the External ID of every such payment, and the service would deduplicate all but
 * the first.
 *
 * @param expressionTexts as many as the template has expressions
 */
export function renderTemplate(
	template: Template,
	expressionTexts: ExpressionText[],
): Result<string> {
	for (const [index, text] of expressionTexts.entries()) {
		const hasValue = text !== null && text.trim() !== '';
		if (!hasValue || isUnusable(text)) return unusableText(template.codes[index], text);
	}
	return ok(join(template, expressionTexts));
}

/**
 * Inserts the texts of its expressions into JSON. An expression that is a whole string may be
 * empty, as a field may be. Elsewhere it must have a value. Inside a string, it must not end the
 * string. Behind a colon, it must not end the value. The rest would become other fields.
 */
export function renderJsonTemplate(
	template: Template,
	expressionTexts: ExpressionText[],
): Result<string> {
	let isInString = false;
	let isInValue = false;
	for (const [index, text] of expressionTexts.entries()) {
		const before = template.texts[index];
		const wasInString = isInString;
		isInString = endsInString(before, wasInString);
		isInValue = !isInString && (isInValue ? STAYS_IN_VALUE : BEGINS_VALUE).test(before);
		const opensString = isInString && !endsInString(before.slice(0, -1), wasInString);
		const isWholeString = opensString && template.texts[index + 1].startsWith('"');
		const isEmpty = text === null || (isInString && text.trim() === '');
		const code = template.codes[index];
		if (isEmpty && !isWholeString) return unusableText(code, text);
		if (text === null) continue;
		const hasNoText = isInString ? isUnusable(text) : text.includes('[object ');
		if (hasNoText) return unusableText(code, text);
		if (isInString && !staysInString(text)) {
			return failed(
				`The expression ${quoteExpression(code)} gives text that ends the JSON string around it`,
				'Write {{ JSON.stringify(…) }} in place of the expression and its quotation marks.',
			);
		}
		if (isInValue && STRUCTURE.test(text) && !isJson(text)) {
			return failed(
				`The expression ${quoteExpression(code)} gives text that is more than one JSON value`,
				'Write {{ JSON.stringify(…) }} in place of the expression.',
			);
		}
	}
	return ok(join(template, expressionTexts));
}

const JSON_STRING_TOKEN = /\\[^]|"/g;

/** Whether JSON text ends inside a string. */
function endsInString(text: string, beginsInString: boolean): boolean {
	let isInString = beginsInString;
	for (const [token] of text.matchAll(JSON_STRING_TOKEN))
		if (token === '"') isInString = !isInString;
	return isInString;
}

/**
 * Whether text has no quotation mark that ends a JSON string, and no backslash that keeps it open.
 */
const staysInString = (text: string) => !/["\\]/.test(text.replace(/\\[^]/g, ''));

/** Text after which an expression is the value of a member, or goes on with that value. */
const BEGINS_VALUE = /:\s*[^\s,:{}[\]"]*$/;
const STAYS_IN_VALUE = /^[^\s,:{}[\]"]*$/;
const STRUCTURE = /[,:{}[\]"]/;

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

const join = ({ texts }: Template, expressionTexts: ExpressionText[]) =>
	texts.map((text, index) => text + (expressionTexts[index] ?? '')).join('');

const quoteExpression = (code: string) => `{{ ${code.trim()} }}`;

function unusableText(code: string, text: ExpressionText) {
	const isEmpty = text === null || text.trim() === '';
	const found = isEmpty ? 'has no value' : `gives ${quote(text)}`;
	return failed(
		`The expression ${quoteExpression(code)} inside the text ${found}`,
		'Correct it, or, if it may be empty, write the whole text as one expression.',
	);
}
