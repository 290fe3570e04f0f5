import { COUNTRIES, CURRENCIES } from '../../shared/codes.generated';
import { compareDecimals, isDecimal } from '../../shared/decimals';
import { failed, ok, type Result } from '../../shared/result';
import { isEmpty, quote } from '../../shared/values';
import { isAmbiguous, replaceDecimalComma } from './decimalComma';

const EMPTY = 'The field is empty';

/** Reads IDs, references, and schemes. Whole numbers, as spreadsheets have them, become text. */
export function parseText(value: unknown): Result<string> {
	if (isEmpty(value)) return failed(EMPTY, 'Fill it in.');
	if (typeof value === 'string') return ok(value.trim());
	if (Number.isSafeInteger(value)) return ok(String(value));
	return failed(`${quote(value)} isn't text`, 'Give it as text.');
}

/** Decimals of a currency; `undefined` for what is none. */
const decimalsOfCurrency = (code: string): number | undefined =>
	Object.hasOwn(CURRENCIES, code) ? CURRENCIES[code] : undefined;

/** Reads an ISO 4217 code, also in lower case and with blanks around it (section 2.1). */
export function parseCurrency(value: unknown): Result<string> {
	if (isEmpty(value)) return failed(EMPTY, 'Use a code of three letters such as EUR.');
	const code = toCode(value);
	if (decimalsOfCurrency(code) !== undefined) return ok(code);
	return failed(
		`${quote(value)} isn't a currency of ISO 4217`,
		'Use a code of three letters such as EUR.',
	);
}

const COUNTRY_CODES = new Set(COUNTRIES);

/** Reads an ISO 3166-1 alpha-2 code, also in lower case and with blanks around it (section 2.2). */
export function parseCountry(value: unknown): Result<string> {
	if (isEmpty(value)) return failed(EMPTY, 'Use a code of two letters such as DE.');
	const code = toCode(value);
	if (COUNTRY_CODES.has(code)) return ok(code);
	const fix = code === 'UK' ? 'The United Kingdom is GB.' : 'Use a code of two letters such as DE.';
	return failed(`${quote(value)} isn't a country of ISO 3166-1`, fix);
}

const toCode = (value: unknown) => (typeof value === 'string' ? value.trim().toUpperCase() : '');

/** A JavaScript number holds up to this many decimal digits exactly. */
const MAX_EXACT_DIGITS = 15;

export interface AmountRules {
	/** Whose decimals the amount must not exceed. Without it, decimals aren't counted. */
	currency?: string;
	/** Accept an amount of zero. */
	allowZero?: boolean;
	/** Of amounts that are text. `dot` if missing. */
	decimalSeparator?: 'dot' | 'comma';
}

/**
 * Reads an amount as a decimal string without leading zeros (service interface, section 2: all
 * amounts are strings). A number is accepted only if its decimal form is exact. It is never
 * calculated with.
 */
export function parseAmount(value: unknown, rules: AmountRules = {}): Result<string> {
	if (isEmpty(value)) return failed(EMPTY, 'Use a decimal number such as 1234.50.');
	if (typeof value !== 'string' && typeof value !== 'number')
		return failed(`${quote(value)} isn't an amount`, 'Use a decimal number such as 1234.50.');
	const hasComma = rules.decimalSeparator === 'comma' && typeof value === 'string';
	const read = hasComma ? parseDecimalComma(value) : parseDecimalDot(value);
	if (read.problem) return read;
	const text = read.value;
	const digits = text.replace('.', '').length;
	if (typeof value === 'number' && digits > MAX_EXACT_DIGITS) {
		return failed(
			`${text} has more digits than a number holds exactly`,
			'Give the amount as text, for example "1234.50".',
		);
	}
	const amount = text.replace(/^0+(?=\d)/, '');
	if (!rules.allowZero && compareDecimals(amount, '0') === 0) {
		return failed(
			`${quote(value)} is zero, and only amounts above zero are allowed`,
			"Enter an amount above zero, or turn on the option 'Allow Zero Amounts'.",
		);
	}
	return checkDecimals(amount, rules.currency);
}

function parseDecimalDot(value: string | number): Result<string> {
	const text = String(value).trim();
	if (isDecimal(text)) return ok(text);
	const hasDecimalComma = text.includes(',') && replaceDecimalComma(text) !== undefined;
	return failed(
		`${quote(value)} isn't a plain decimal number`,
		`Use digits and at most one dot, for example 1234.50: no sign, no blank and no comma.${hasDecimalComma ? COMMA_OPTION : ''}`,
	);
}

function parseDecimalComma(value: string): Result<string> {
	const text = value.trim();
	const amount = replaceDecimalComma(text);
	if (amount !== undefined) return ok(amount);
	if (isAmbiguous(text)) {
		return failed(
			`"${text}" can be ${text.replace('.', '')} or ${text.replace('.', ',')}`,
			`Use decimals behind a comma, such as ${text},00, or no dot.`,
		);
	}
	return failed(
		`${quote(value)} isn't a number with a decimal comma`,
		"Use digits, a comma before the decimals, and groups of three digits if any, for example 1.250,00. For a decimal dot, remove the option 'Decimal Separator'.",
	);
}

const COMMA_OPTION =
	" If the comma separates the decimals, set the option 'Decimal Separator' to 'Comma'.";

function checkDecimals(amount: string, currency?: string): Result<string> {
	const decimals = amount.split('.')[1]?.length ?? 0;
	const allowed = decimalsOfCurrency(currency ?? '') ?? Infinity;
	if (decimals <= allowed) return ok(amount);
	const limit = allowed === 0 ? 'none' : `at most ${allowed}`;
	return failed(
		`"${amount}" has ${decimals} decimals, but ${currency} has ${limit}`,
		"Round the amount, or turn on the option 'Skip Decimals Check'.",
	);
}
