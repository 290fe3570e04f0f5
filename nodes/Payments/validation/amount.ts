import { CURRENCIES } from '../../shared/codes.generated';
import { failed, ok, type Problem, type Result } from '../../shared/result';
import { isEmpty, quote } from '../../shared/values';
import { compareDecimals, isDecimal } from '../decimals';
import { EMPTY, tooLong } from './parse';

/** A JavaScript number holds up to this many decimal digits exactly. */
const MAX_EXACT_DIGITS = 15;
const MAX_AMOUNT_LENGTH = 50;

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
	const amount = text.replace(/^0+(?=\d)/, '');
	if (!rules.allowZero && compareDecimals(amount, '0') === 0) {
		return failed(
			`${quote(value)} is zero, and only amounts above zero are allowed`,
			'Enter an amount above zero. An empty cell or a calculation without a value often gives zero.',
		);
	}
	const tooPrecise = checkDecimals(amount, value, rules);
	if (tooPrecise) return tooPrecise;
	if (typeof value === 'number' && amount.replace('.', '').length > MAX_EXACT_DIGITS) {
		return failed(
			`${amount} has more digits than a number holds exactly`,
			'Round a calculated amount, such as with .round(2), or give it as text, for example "1234.50".',
		);
	}
	return ok(amount);
}

function parseDecimalDot(value: string | number): Result<string> {
	const text = String(value).trim();
	if (isDecimal(text)) return ok(text);
	const hasDecimalComma = text.includes(',') && replaceDecimalComma(text) !== undefined;
	return failed(
		`${quote(value)} isn't a plain decimal number`,
		`Use digits and at most one dot, for example 1234.50: no currency, no sign, no blank, and no comma.${hasDecimalComma ? COMMA_OPTION : ''}`,
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

function checkDecimals(
	amount: string,
	value: unknown,
	{ currency, decimalSeparator }: AmountRules,
): { problem: Problem } | undefined {
	const decimals = amount.split('.')[1]?.length ?? 0;
	const isKnown = currency !== undefined && Object.hasOwn(CURRENCIES, currency);
	const allowed = isKnown ? CURRENCIES[currency] : Infinity;
	if (decimals <= allowed) return undefined;
	const count = `${decimals} decimal${decimals === 1 ? '' : 's'}`;
	const limit = allowed === 0 ? 'none' : `at most ${allowed}`;
	const message = `${quote(typeof value === 'number' ? value : amount)} has ${count}, but ${currency} has ${limit}`;
	// A number has no thousands separators, and often comes from a calculation.
	if (typeof value === 'number')
		return failed(message, `Round it, such as with {{ $json.amount.round(${allowed}) }}.`);
	const canBeThousands = decimalSeparator !== 'comma' && isAmbiguous(amount);
	const ifThousands = `If the dot separates thousands, write ${amount.replace('.', '')}, or set the option 'Decimal Separator' to 'Comma'. Otherwise, correct`;
	return failed(
		message,
		`${canBeThousands ? ifThousands : 'Correct'} the amount, or the currency.`,
	);
}

/** Digits, with or without decimals behind a comma. */
const UNGROUPED = /^\d+(?:,\d+)?$/;
/** Groups of three digits, all with the same separator: a dot, an apostrophe, or any blank. */
const GROUPED = /^[1-9]\d{0,2}([.'’ \u00a0\u2009\u202f])\d{3}(?:\1\d{3})*(?:,\d+)?$/;
/** No thousands begin with 0, so 0.250 isn't ambiguous: its decimals are behind a dot. */
const ONE_DOT = /^[1-9]\d{0,2}\.\d{3}$/;

/**
 * Whether a text such as `1.250` can be read with a thousands separator or with three decimals.
 * A payment must not be a thousand times off.
 */
const isAmbiguous = (text: string): boolean => ONE_DOT.test(text);

/**
 * Replaces the decimal comma of a number such as `1.250,00` by a dot, and removes thousands
 * separators. Nothing is calculated.
 *
 * @returns `undefined` for text that is ambiguous, mixes separators, or isn't such a number
 */
function replaceDecimalComma(text: string): string | undefined {
	const isNumber = UNGROUPED.test(text) || (GROUPED.test(text) && !isAmbiguous(text));
	return isNumber ? text.replace(/[^\d,]/g, '').replace(',', '.') : undefined;
}
