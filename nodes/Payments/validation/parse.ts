import { COUNTRIES, CURRENCIES } from '../../shared/codes.generated';
import { failed, ok, type Problem, type Result } from '../../shared/result';
import { isEmpty, quote } from '../../shared/values';
import { compareDecimals, isDecimal } from '../decimals';
import { isAmbiguous, replaceDecimalComma } from './decimalComma';

const EMPTY = 'The field is empty';

/** Longer text is a wrong mapping, and would only cost time. */
const MAX_TEXT_LENGTH = 1000;
const MAX_AMOUNT_LENGTH = 50;

/** Whether a text is longer than a field may be. Checked before anything reads the text. */
function tooLong(value: unknown, maxLength: number): { problem: Problem } | undefined {
	if (typeof value !== 'string' || value.length <= maxLength) return undefined;
	return failed(
		`${quote(value)} has ${value.length} characters, and at most ${maxLength} are allowed`,
		'Shorten it, or check that the value is from the right field.',
	);
}

/** Reads IDs, references, and schemes. Whole numbers, as spreadsheets have them, become text. */
export function parseText(value: unknown): Result<string> {
	if (isEmpty(value)) return failed(EMPTY, 'Fill it in.');
	if (typeof value === 'string') return tooLong(value, MAX_TEXT_LENGTH) ?? ok(value.trim());
	if (Number.isSafeInteger(value)) return ok(String(value));
	return failed(`${quote(value)} isn't text`, 'Give it as text.');
}

/** Decimals of a currency; `undefined` for what is none. */
const decimalsOfCurrency = (code: string): number | undefined =>
	Object.hasOwn(CURRENCIES, code) ? CURRENCIES[code] : undefined;

type Message = (given: string) => string;

/** Reads codes, also in lower case and with blanks around them. */
function codeParser(
	codes: readonly string[],
	{ type, message, hint }: { type: 'currency' | 'region'; message: Message; hint: string },
): (value: unknown) => Result<string> {
	const known = new Set(codes);
	// The English names in Unicode's locale data.
	const names = new Intl.DisplayNames('en', { type, fallback: 'none' });
	const codeByName = new Map(codes.map((code) => [names.of(code)?.toUpperCase() ?? code, code]));
	const isForm = type === 'region' ? /^[A-Z]{2}$/ : /^[A-Z]{3}$/;
	// A code that isn't in use can have the name of one that is: UK is the United Kingdom, GB.
	const nameOf = (text: string) => (isForm.test(text) && names.of(text)?.toUpperCase()) || text;

	return (value) => {
		if (isEmpty(value)) return failed(EMPTY, hint);
		const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
		if (known.has(code)) return ok(code);
		const meant = codeByName.get(nameOf(code));
		const fix = meant === undefined ? hint : `Use ${meant}, the code of ${quote(value)}.`;
		return failed(message(quote(value)), fix);
	};
}

/** Reads an ISO 4217 code (section 2.1). */
export const parseCurrency = codeParser(Object.keys(CURRENCIES), {
	type: 'currency',
	message: (given) => `${given} isn't a currency of ISO 4217`,
	hint: 'Use its code of three letters.',
});

/** Reads an ISO 3166-1 alpha-2 code (section 2.2). */
export const parseCountry = codeParser(COUNTRIES, {
	type: 'region',
	message: (given) => `${given} isn't a country of ISO 3166-1`,
	hint: 'Use its code of two letters.',
});

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
 * Reads an amount as a decimal string without leading zeros (docs/interface.md, 2: all
 * amounts are strings). A number is accepted only if its decimal form is exact. It is never
 * calculated with.
 */
export function parseAmount(value: unknown, rules: AmountRules = {}): Result<string> {
	if (isEmpty(value)) return failed(EMPTY, 'Use a decimal number such as 1234.50.');
	if (typeof value !== 'string' && typeof value !== 'number')
		return failed(`${quote(value)} isn't an amount`, 'Use a decimal number such as 1234.50.');
	const long = tooLong(value, MAX_AMOUNT_LENGTH);
	if (long) return long;
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
			'Enter an amount above zero. An empty cell or a calculation without a value often gives zero.',
		);
	}
	return checkDecimals(amount, rules);
}

/** An amount with letters or the sign of a currency before or behind it. */
const WITH_CURRENCY = /^([A-Z]{3}|\p{Sc})?\s*(\d[^A-Z\p{Sc}]*?)\s*([A-Z]{3}|\p{Sc})?$/iu;

/** @returns `undefined` for a text without a currency */
function withoutCurrency(text: string): string | undefined {
	const [, before = '', amount, behind = ''] = WITH_CURRENCY.exec(text) ?? [];
	const currency = (before || behind).toUpperCase();
	const isCurrency = /^\p{Sc}$/u.test(currency) || Object.hasOwn(CURRENCIES, currency);
	return isCurrency ? amount : undefined;
}

function parseDecimalDot(value: string | number): Result<string> {
	const text = String(value).trim();
	if (isDecimal(text)) return ok(text);
	const amountAlone = withoutCurrency(text);
	if (amountAlone !== undefined) {
		return failed(
			`${quote(value)} isn't an amount alone`,
			`Enter ${quote(amountAlone)} here, and the currency in the field 'Currency'.`,
		);
	}
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

function checkDecimals(amount: string, rules: AmountRules): Result<string> {
	const { currency, decimalSeparator } = rules;
	const decimals = amount.split('.')[1]?.length ?? 0;
	const allowed = decimalsOfCurrency(currency ?? '') ?? Infinity;
	if (decimals <= allowed) return ok(amount);
	const limit = allowed === 0 ? 'none' : `at most ${allowed}`;
	const canBeThousands = decimalSeparator !== 'comma' && isAmbiguous(amount);
	const ifThousands = `If the dot separates thousands, write ${amount.replace('.', '')}, or set the option 'Decimal Separator' to 'Comma'. Otherwise, correct`;
	return failed(
		`"${amount}" has ${decimals} decimals, but ${currency} has ${limit}`,
		`${canBeThousands ? ifThousands : 'Correct'} the amount, or the currency.`,
	);
}
