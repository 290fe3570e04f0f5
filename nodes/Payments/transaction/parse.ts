import { COUNTRIES, CURRENCIES_BY_DECIMALS } from './codes.generated';

/** A value of the right form, or a sentence that says what is wrong with it and what to do. */
export type ParseResult<T> =
	| { value: T; problem?: undefined }
	| { value?: undefined; problem: string };

const ok = <T>(value: T): ParseResult<T> => ({ value });
const bad = (problem: string): ParseResult<never> => ({ problem });

/** Whether a field counts as left empty. */
export const isEmpty = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** A value as it is quoted in a message: short, and never the inside of an object. */
export function formatValue(value: unknown): string {
	if (typeof value === 'string') return `"${value.length > 60 ? `${value.slice(0, 60)}…` : value}"`;
	if (typeof value === 'object' && value !== null)
		return Array.isArray(value) ? 'A list' : 'An object';
	return typeof value === 'symbol' || typeof value === 'function'
		? `A ${typeof value}`
		: String(value);
}

const MISSING = 'It is empty. Fill it in.';

/** Ids, references and schemes: text that is not empty; whole numbers, as spreadsheets give them, become text. */
export function parseText(value: unknown): ParseResult<string> {
	if (isEmpty(value)) return bad(MISSING);
	if (typeof value === 'string') return ok(value.trim());
	if (typeof value === 'number' && Number.isSafeInteger(value)) return ok(String(value));
	return bad(`${formatValue(value)} is not text. Give it as text.`);
}

/** Decimals of each ISO 4217 currency. */
const DECIMALS = new Map(
	Object.entries(CURRENCIES_BY_DECIMALS).flatMap(([decimals, codes]) =>
		codes.split(' ').map((code) => [code, Number(decimals)] as const),
	),
);

/** An ISO 4217 code; case and blanks around it are forgiven (service interface, section 2.1). */
export function parseCurrency(value: unknown): ParseResult<string> {
	if (isEmpty(value)) return bad('It is empty. Use a code of three letters such as EUR.');
	const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
	return DECIMALS.has(code)
		? ok(code)
		: bad(
				`${formatValue(value)} is not a currency of ISO 4217. Use a code of three letters such as EUR.`,
			);
}

const COUNTRY_CODES = new Set(COUNTRIES.split(' '));

/** An ISO 3166-1 alpha-2 code; case and blanks around it are forgiven (service interface, section 2.2). */
export function parseCountry(value: unknown): ParseResult<string> {
	if (isEmpty(value)) return bad('It is empty. Use a code of two letters such as DE.');
	const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
	if (COUNTRY_CODES.has(code)) return ok(code);
	const remedy =
		code === 'UK' ? 'The United Kingdom is GB.' : 'Use a code of two letters such as DE.';
	return bad(`${formatValue(value)} is not a country of ISO 3166-1. ${remedy}`);
}

const DECIMAL = /^\d+(\.\d+)?$/;
/** More digits than this a JavaScript number does not hold exactly. */
const EXACT_DIGITS = 15;

/**
 * An amount as a decimal string (service interface, section 2: all amounts are strings).
 * A number is taken only where its decimal form is exact and plain; it is never calculated with.
 *
 * @param currency the amount may not have more decimals than this currency; left out, decimals are not counted
 */
export function parseAmount(value: unknown, currency?: string): ParseResult<string> {
	if (isEmpty(value)) return bad('It is empty. Use a decimal number such as 1234.50.');
	if (typeof value !== 'string' && typeof value !== 'number')
		return bad(`${formatValue(value)} is not an amount. Use a decimal number such as 1234.50.`);
	const text = String(value).trim();
	if (!DECIMAL.test(text)) {
		return bad(
			`${formatValue(value)} is not a plain decimal number. Use digits and at most one dot, for example 1234.50: no sign, no blank and no comma.`,
		);
	}
	if (typeof value === 'number' && text.replace('.', '').length > EXACT_DIGITS) {
		return bad(
			`${text} has more digits than a number holds exactly. Give the amount as text, for example "1234.50".`,
		);
	}
	const amount = text.replace(/^0+(?=\d)/, '');
	const decimals = amount.split('.')[1]?.length ?? 0;
	const allowed = currency === undefined ? Infinity : (DECIMALS.get(currency) ?? Infinity);
	if (decimals > allowed) {
		const limit = allowed === 0 ? 'none' : `at most ${allowed}`;
		return bad(
			`${formatValue(value)} has ${decimals} decimals, but ${currency} has ${limit}. Round the amount, or turn on the option Skip Decimals Check.`,
		);
	}
	return ok(amount);
}
