/*
 * Decimal numbers as text, such as `1234.50`: exact, without floating-point numbers. The functions
 * that calculate throw a RangeError for what isn't one.
 */

/** Whether a text is digits with at most one dot between them: no sign, separators, or blanks. */
export const isDecimal = (text: string): boolean => /^\d+(\.\d+)?$/.test(text);

/** Thousands in groups of three with one separator, whatever it is. None begin with a zero. */
const GROUPED = /^[1-9]\d{0,2}([.,'’ \u00a0\u2009\u202f])\d{3}(?:\1\d{3})*$/;

/**
 * Reads the amount that a text says. This is the grammar of items, options, and limits.
 *
 * @param mark what separates the decimals, if there are any. Something else can separate thousands.
 * @returns a decimal number without leading zeros; `undefined` for another text
 */
export function readAmount(text: string, mark: '.' | ','): string | undefined {
	const [whole, decimals, ...more] = text.split(mark);
	if (!(/^\d+$/.test(whole) || GROUPED.test(whole))) return undefined;
	if (more.length > 0 || !/^\d+$/.test(decimals ?? '0')) return undefined;
	const digits = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
	return decimals === undefined ? digits : `${digits}.${decimals}`;
}

/**
 * Whether the dot or the comma can separate thousands as well as decimals, such as in `1.250`. An
 * amount must not be a thousand times off.
 */
export const isAmbiguous = (text: string): boolean => /^[1-9]\d{0,2}[.,]\d{3}$/.test(text);

/** Returns -1 if `a` is smaller than `b`, 0 if both have the same value, 1 if `a` is larger. */
export function compareDecimals(a: string, b: string): number {
	const [left, right] = withSameScale(a, b);
	return Number(left > right) - Number(left < right);
}

/** Adds two numbers. The sum has the larger number of decimals: `1.5` and `2.25` make `3.75`. */
export function addDecimals(a: string, b: string): string {
	const [left, right, scale] = withSameScale(a, b);
	return toText(left + right, scale);
}

/**
 * Subtracts `b` from `a`. The difference has the larger number of decimals.
 *
 * @throws RangeError if `b` is larger than `a`
 */
export function subtractDecimals(a: string, b: string): string {
	const [left, right, scale] = withSameScale(a, b);
	if (left < right) throw new RangeError('The difference is below zero.');
	return toText(left - right, scale);
}

function toText(integer: bigint, scale: number): string {
	const digits = integer.toString().padStart(scale + 1, '0');
	if (scale === 0) return digits;
	return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Both values as integers in the same unit, which is 10 to the power of minus `scale`. */
function withSameScale(a: string, b: string): [left: bigint, right: bigint, scale: number] {
	const scale = Math.max(countDecimals(a), countDecimals(b));
	return [toInteger(a, scale), toInteger(b, scale), scale];
}

function toInteger(text: string, scale: number): bigint {
	if (!isDecimal(text)) throw new RangeError("This isn't a plain decimal number.");
	const [whole, decimals = ''] = text.split('.');
	return BigInt(whole + decimals.padEnd(scale, '0'));
}

export const countDecimals = (text: string): number => text.split('.')[1]?.length ?? 0;
