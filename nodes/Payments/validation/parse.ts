import { compareDecimals, isDecimal } from '../../shared/decimals';
import { COUNTRIES, CURRENCIES } from '../../shared/codes.generated';
import { quote } from '../../shared/values';
import { isAmbiguous, replaceDecimalComma } from './decimalComma';

/** What is wrong with a value, without a period at the end, and how to correct it, in whole sentences. */
export interface Invalid {
	problem: string;
	fix: string;
}

/** A value of the right form, or what is wrong with it. */
export type ParseResult<T> =
	| { value: T; problem?: undefined; fix?: undefined }
	| ({ value?: undefined } & Invalid);

const valid = <T>(value: T): ParseResult<T> => ({ value });
const invalid = (problem: string, fix: string): ParseResult<never> => ({ problem, fix });

/** What is wrong with a field that has no value. */
export const EMPTY = 'The field is empty';

/** Says whether a field counts as empty: nothing, or text of nothing but blanks and invisible characters (Unicode's category Cf). */
export const isEmpty = (value: unknown) =>
	value === undefined ||
	value === null ||
	(typeof value === 'string' && value.replace(/[\p{Cf}\u0085]/gu, '').trim() === '');

/** Reads IDs, references, and schemes: text that isn't empty. Whole numbers, as spreadsheets give them, become text. */
export function parseText(value: unknown): ParseResult<string> {
	if (isEmpty(value)) return invalid(EMPTY, 'Fill it in.');
	if (typeof value === 'string') return valid(value.trim());
	if (Number.isSafeInteger(value)) return valid(String(value));
	return invalid(`${quote(value)} is not text`, 'Give it as text.');
}

/** Decimals of a currency; `undefined` for what is none. */
const decimalsOf = (code: string): number | undefined =>
	Object.hasOwn(CURRENCIES, code) ? CURRENCIES[code] : undefined;

/** Reads an ISO 4217 code; lower case and blanks around it are accepted (service interface, section 2.1). */
export function parseCurrency(value: unknown): ParseResult<string> {
	if (isEmpty(value)) return invalid(EMPTY, 'Use a code of three letters such as EUR.');
	const code = toCode(value);
	if (decimalsOf(code) !== undefined) return valid(code);
	return invalid(
		`${quote(value)} is not a currency of ISO 4217`,
		'Use a code of three letters such as EUR.',
	);
}

const COUNTRY_CODES = new Set(COUNTRIES);

/** Reads an ISO 3166-1 alpha-2 code; lower case and blanks around it are accepted (service interface, section 2.2). */
export function parseCountry(value: unknown): ParseResult<string> {
	if (isEmpty(value)) return invalid(EMPTY, 'Use a code of two letters such as DE.');
	const code = toCode(value);
	if (COUNTRY_CODES.has(code)) return valid(code);
	const fix = code === 'UK' ? 'The United Kingdom is GB.' : 'Use a code of two letters such as DE.';
	return invalid(`${quote(value)} is not a country of ISO 3166-1`, fix);
}

const toCode = (value: unknown) => (typeof value === 'string' ? value.trim().toUpperCase() : '');

/** A JavaScript number holds up to this many decimal digits exactly. */
const MAX_EXACT_DIGITS = 15;

/** What separates the decimals of an amount that is text. */
export type DecimalSeparator = 'dot' | 'comma';

export interface AmountRules {
	/** The amount may not have more decimals than this currency. Without it, decimals aren't counted. */
	currency?: string;
	/** Accept an amount of zero. */
	allowZero?: boolean;
	/** Of text; a number has no separator. `dot` if missing. */
	decimalSeparator?: DecimalSeparator;
}

/**
 * Reads an amount as a decimal string without leading zeros (service interface, section 2: all amounts are strings).
 * A number is accepted only where its decimal form is exact and plain; it is never calculated with.
 */
export function parseAmount(value: unknown, rules: AmountRules = {}): ParseResult<string> {
	if (isEmpty(value)) return invalid(EMPTY, 'Use a decimal number such as 1234.50.');
	if (typeof value !== 'string' && typeof value !== 'number')
		return invalid(`${quote(value)} is not an amount`, 'Use a decimal number such as 1234.50.');
	const hasComma = rules.decimalSeparator === 'comma' && typeof value === 'string';
	const read = hasComma ? parseDecimalComma(value) : parseDecimalDot(value);
	if (read.problem !== undefined) return read;
	const text = read.value;
	const digits = text.replace('.', '').length;
	if (typeof value === 'number' && digits > MAX_EXACT_DIGITS) {
		return invalid(
			`${text} has more digits than a number holds exactly`,
			'Give the amount as text, for example "1234.50".',
		);
	}
	const amount = text.replace(/^0+(?=\d)/, '');
	if (!rules.allowZero && compareDecimals(amount, '0') === 0) {
		return invalid(
			`${quote(value)} is zero, and only amounts above zero are allowed`,
			"Enter an amount above zero, or turn on the option 'Allow Zero Amounts'.",
		);
	}
	return checkDecimals(amount, rules.currency) ?? valid(amount);
}

function parseDecimalDot(value: string | number): ParseResult<string> {
	const text = String(value).trim();
	if (isDecimal(text)) return valid(text);
	const hasDecimalComma = text.includes(',') && replaceDecimalComma(text) !== undefined;
	return invalid(
		`${quote(value)} is not a plain decimal number`,
		`Use digits and at most one dot, for example 1234.50: no sign, no blank and no comma.${hasDecimalComma ? COMMA_OPTION : ''}`,
	);
}

function parseDecimalComma(value: string): ParseResult<string> {
	const text = value.trim();
	const amount = replaceDecimalComma(text);
	if (amount !== undefined) return valid(amount);
	if (isAmbiguous(text)) {
		return invalid(
			`"${text}" can be ${text.replace('.', '')} or ${text.replace('.', ',')}`,
			`Use decimals behind a comma, such as ${text},00, or no dot.`,
		);
	}
	return invalid(
		`${quote(value)} is not a number with a decimal comma`,
		"Use digits, a comma before the decimals, and groups of three digits if any, for example 1.250,00. For a decimal dot, remove the option 'Decimal Separator'.",
	);
}

const COMMA_OPTION =
	" If the comma separates the decimals, set the option 'Decimal Separator' to 'Comma'.";

function checkDecimals(amount: string, currency?: string): ParseResult<never> | undefined {
	if (currency === undefined) return undefined;
	const decimals = amount.split('.')[1]?.length ?? 0;
	const allowed = decimalsOf(currency) ?? Infinity;
	if (decimals <= allowed) return undefined;
	const limit = allowed === 0 ? 'none' : `at most ${allowed}`;
	return invalid(
		`"${amount}" has ${decimals} decimals, but ${currency} has ${limit}`,
		"Round the amount, or turn on the option 'Skip Decimals Check'.",
	);
}
