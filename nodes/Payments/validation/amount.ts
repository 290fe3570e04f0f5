import { CURRENCIES } from '../../shared/codes.generated';
import { failed, ok, type Problem, type Result } from '../../shared/result';
import { quote } from '../../shared/values';
import { compareDecimals, isAmbiguous, isDecimal, readAmount } from '../decimals';
import { tooLong } from './parse';

/** A JavaScript number holds up to this many decimal digits exactly. */
const MAX_EXACT_DIGITS = 15;
const MAX_AMOUNT_LENGTH = 50;
export const AMOUNT_FORM = 'Use a decimal number such as 1234.50.';

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
	if (typeof value !== 'string' && typeof value !== 'number')
		return failed(`${quote(value)} isn't an amount`, AMOUNT_FORM);
	const long = tooLong(value, MAX_AMOUNT_LENGTH);
	if (long) return long;
	const hasComma = rules.decimalSeparator === 'comma' && typeof value === 'string';
	const read = hasComma ? readDecimalComma(value.trim()) : readDecimalDot(String(value).trim());
	if (read.problem) return failed(`${quote(value)} ${read.problem.message}`, read.problem.fix);
	const amount = read.value;
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

function readDecimalDot(text: string): Result<string> {
	const amount = isDecimal(text) ? readAmount(text, '.') : undefined;
	if (amount !== undefined) return ok(amount);
	const hasDecimalComma = text.includes(',') && readAmount(text, ',') !== undefined;
	return failed(
		"isn't a plain decimal number",
		`Use digits and at most one dot, for example 1234.50: no currency, no sign, no blank, and no comma.${hasDecimalComma ? " If the comma separates the decimals of all amounts, set the option 'Decimal Separator' to 'Comma'." : ''}`,
	);
}

function readDecimalComma(text: string): Result<string> {
	if (isAmbiguous(text) && text.includes('.'))
		return failed(
			`can be ${text.replace('.', '')} or ${text.replace('.', ',')}`,
			`Use decimals behind a comma, such as ${text},00, or no dot.`,
		);
	const amount = readAmount(text, ',');
	if (amount !== undefined) return ok(amount);
	return failed(
		"isn't a number with a decimal comma",
		"Use digits, a comma before the decimals, and groups of three digits if any, for example 1.250,00. For a decimal dot, remove the option 'Decimal Separator'.",
	);
}

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
	const message = `${quote(value)} has ${count}, but ${currency} has ${limit}`;
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
