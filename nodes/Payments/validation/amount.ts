import { CURRENCIES } from '../../shared/codes.generated';
import { failed, ok, type Result } from '../../shared/result';
import { quote } from '../../shared/values';
import { compareDecimals, countDecimals, isAmbiguous, isDecimal, readAmount } from '../decimals';
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
	/**
	 * What separates the decimals of amounts that are text. If nobody has said it, it's a dot, and a
	 * text in which it can separate thousands isn't read.
	 */
	decimalSeparator?: 'dot' | 'comma';
}

/**
 * Reads an amount as a decimal string without leading zeros (docs/interface.md, 2: all
 * amounts are strings) with the decimals of its currency, so that it's the same whoever wrote it.
 * Zeros beyond them, which databases write, are dropped. A number is accepted only if its decimal
 * form is exact. It is never calculated with.
 */
export function parseAmount(value: unknown, rules: AmountRules = {}): Result<string> {
	if (typeof value !== 'string' && typeof value !== 'number')
		return failed(`${quote(value)} isn't an amount`, AMOUNT_FORM);
	const long = tooLong(value, MAX_AMOUNT_LENGTH);
	if (long) return long;
	const decimals = decimalsOf(rules.currency);
	const text = String(value).trim();
	// A number has no separators of thousands.
	const read = typeof value === 'number' ? readDecimalDot(text) : readText(text, rules, decimals);
	if (read.problem) return failed(`${quote(value)} ${read.problem.message}`, read.problem.fix);
	const amount = withoutZeros(read.value, decimals);
	if (!rules.allowZero && compareDecimals(amount, '0') === 0) {
		return failed(
			`${quote(value)} is zero, and only amounts above zero are allowed`,
			'Enter an amount above zero. An empty cell or a calculation without a value often gives zero.',
		);
	}
	if (countDecimals(amount) > decimals) return tooPrecise(value, amount, rules.currency, decimals);
	if (typeof value === 'number' && amount.replace('.', '').length > MAX_EXACT_DIGITS) {
		return failed(
			`${amount} has more digits than a number holds exactly`,
			'Round a calculated amount, such as with .round(2), or give it as text, for example "1234.50".',
		);
	}
	return ok(withDecimals(amount, decimals));
}

/** How many decimals an amount may have. Any number if its currency isn't known. */
const decimalsOf = (currency: string | undefined): number =>
	currency !== undefined && Object.hasOwn(CURRENCIES, currency) ? CURRENCIES[currency] : Infinity;

/** Adds zeros up to the decimals of a currency: `10.5` is `10.50`. Not if they aren't known. */
function withDecimals(amount: string, decimals: number): string {
	const missing = decimals - countDecimals(amount);
	if (missing <= 0 || missing === Infinity) return amount;
	return `${amount}${amount.includes('.') ? '' : '.'}${'0'.repeat(missing)}`;
}

/** Drops zeros beyond a number of decimals: `1250.0000` is `1250.00` if there are two. */
function withoutZeros(amount: string, decimals: number): string {
	const [whole, all = ''] = amount.split('.');
	const needed = all.slice(0, decimals) + all.slice(decimals).replace(/0+$/, '');
	return needed === '' ? whole : `${whole}.${needed}`;
}

function readText(
	text: string,
	{ decimalSeparator }: AmountRules,
	decimals: number,
): Result<string> {
	if (decimalSeparator === 'comma') return readDecimalComma(text);
	// In a currency with three decimals, three digits behind the separator are those.
	if (decimalSeparator === undefined && decimals !== 3 && isAmbiguous(text)) {
		const [whole, rest] = text.split(/[.,]/);
		const isExact = countDecimals(withoutZeros(`${whole}.${rest}`, decimals)) <= decimals;
		const forms = [`${whole}${rest}`, ...(isExact ? [`${whole}.${rest}0`] : [])];
		return failed(
			`can be ${whole}${rest} or ${whole}.${rest}`,
			`Set the option 'Decimal Separator' to what separates the decimals of all amounts, or write ${forms.join(' or ')}.`,
		);
	}
	return readDecimalDot(text);
}

function readDecimalDot(text: string): Result<string> {
	const amount = isDecimal(text) ? readAmount(text, '.') : undefined;
	if (amount !== undefined) return ok(amount);
	const hasDecimalComma = text.includes(',') && readAmount(text, ',') !== undefined;
	return failed(
		"isn't a plain decimal number",
		hasDecimalComma
			? "If the comma separates the decimals of all amounts, set the option 'Decimal Separator' to 'Comma'. Otherwise, write it as 1234.50."
			: 'Use digits and at most one dot, such as 1234.50: no currency, no sign, no blank, and no comma.',
	);
}

function readDecimalComma(text: string): Result<string> {
	const amount = readAmount(text, ',');
	if (amount !== undefined) return ok(amount);
	return failed(
		"isn't a number with a decimal comma",
		"Use digits, a comma before the decimals, and groups of three digits if any, for example 1.250,00. If a dot separates the decimals of all amounts, set the option 'Decimal Separator' to 'Dot'.",
	);
}

function tooPrecise(value: unknown, amount: string, currency: string | undefined, max: number) {
	const decimals = countDecimals(amount);
	const count = `${decimals} decimal${decimals === 1 ? '' : 's'}`;
	const limit = max === 0 ? 'none' : `at most ${max}`;
	return failed(
		`${quote(value)} has ${count}, but ${currency} has ${limit}`,
		// A number often comes from a calculation.
		typeof value === 'number'
			? `Round it, such as with {{ $json.amount.round(${max}) }}.`
			: 'Correct the amount, or the currency.',
	);
}
