import { quote } from '../../shared/values';
import { type Invalid, type ParseResult } from '../validation/parse';

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
 * Splits text into its expressions and what is around them, at the places where n8n does it (@n8n/tournament, ExpressionSplitter).
 * Braces behind an odd number of backslashes are text.
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

/** The text that n8n puts in place of an expression, or null when it has no value: then n8n puts nothing there. */
export type ExpressionText = string | null;

/** What a value looks like that was never meant to be text. */
const UNUSABLE_TEXTS = new Set(['undefined', 'null', 'NaN', 'Invalid Date', 'Invalid DateTime']);
const isUnusable = (text: string) => UNUSABLE_TEXTS.has(text.trim()) || text.includes('[object ');

/**
 * Puts together a text from the texts of its expressions. Each of them must have one: `INV-` without its number would be the External ID of
 * every such payment, and the service would deduplicate all but the first.
 *
 * @param expressionTexts as many as the template has expressions
 */
export function renderTemplate(
	template: Template,
	expressionTexts: ExpressionText[],
): ParseResult<string> {
	for (const [index, text] of expressionTexts.entries()) {
		const hasValue = text !== null && text.trim() !== '';
		if (!hasValue || isUnusable(text)) return noText(template.codes[index], text);
	}
	return { value: join(template, expressionTexts) };
}

/**
 * Puts together JSON text from the texts of its expressions. Where an expression is all that is between two quotation marks, it may be empty, as a
 * field may be. Elsewhere it must have a value, and inside quotation marks it may not end the string: what is behind would become other fields.
 */
export function renderJsonTemplate(
	template: Template,
	expressionTexts: ExpressionText[],
): ParseResult<string> {
	let isInString = false;
	for (const [index, text] of expressionTexts.entries()) {
		const before = template.texts[index];
		const wasInString = isInString;
		isInString = endsInString(before, wasInString);
		const opensString = isInString && !endsInString(before.slice(0, -1), wasInString);
		const isWholeString = opensString && template.texts[index + 1].startsWith('"');
		const isEmpty = text === null || (isInString && text.trim() === '');
		const code = template.codes[index];
		if (isEmpty && !isWholeString) return noText(code, text);
		if (text === null) continue;
		const isRejected = isInString ? isUnusable(text) : text.includes('[object ');
		if (isRejected) return noText(code, text);
		if (isInString && !staysInString(text)) {
			return {
				problem: `The expression ${quoteExpression(code)} gives text that ends the JSON string around it`,
				fix: 'Write {{ JSON.stringify(…) }} in place of the expression and its quotation marks.',
			};
		}
	}
	return { value: join(template, expressionTexts) };
}

const JSON_STRING_TOKEN = /\\[^]|"/g;

/** Whether JSON text ends inside a string, given whether it begins inside one. */
function endsInString(text: string, beginsInString: boolean): boolean {
	let isInString = beginsInString;
	for (const [token] of text.matchAll(JSON_STRING_TOKEN))
		if (token === '"') isInString = !isInString;
	return isInString;
}

/** Whether text inside a JSON string has no quotation mark and no backslash that would end the string or keep it open. */
const staysInString = (text: string) => !/["\\]/.test(text.replace(/\\[^]/g, ''));

const join = ({ texts }: Template, expressionTexts: ExpressionText[]) =>
	texts.map((text, index) => text + (expressionTexts[index] ?? '')).join('');

const quoteExpression = (code: string) => `{{ ${code.trim()} }}`;

const noText = (code: string, text: ExpressionText): Invalid => {
	const isEmpty = text === null || text.trim() === '';
	const found = isEmpty ? 'has no value' : `gives ${quote(text)}`;
	return {
		problem: `The expression ${quoteExpression(code)} inside the text ${found}`,
		fix: 'Correct it, or, if it may be empty, write the whole text as one expression.',
	};
};
