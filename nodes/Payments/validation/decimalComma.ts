/** Digits, and decimals behind a comma if any. */
const UNGROUPED = /^\d+(?:,\d+)?$/;
/** Groups of three digits, all with the same separator: a dot, an apostrophe, or a blank (also one that doesn't break, or a narrow one). */
const GROUPED = /^[1-9]\d{0,2}([.'’ \u00a0\u2009\u202f])\d{3}(?:\1\d{3})*(?:,\d+)?$/;
const ONE_DOT = /^\d{1,3}\.\d{3}$/;

/**
 * Says whether a text such as `1.250` has two readings: a thousand and more with a thousands separator, or three decimals from a
 * source that writes a decimal dot. A payment must not be a thousand times off.
 */
export const isAmbiguous = (text: string): boolean => ONE_DOT.test(text);

/**
 * Replaces the decimal comma of a number such as `1.250,00` by a dot, and takes out thousands separators. Nothing is calculated.
 *
 * @returns undefined for an ambiguous text, for one that mixes separators, and for any that is not such a number
 */
export function replaceDecimalComma(text: string): string | undefined {
	const isNumber = UNGROUPED.test(text) || (GROUPED.test(text) && !isAmbiguous(text));
	return isNumber ? text.replace(/[^\d,]/g, '').replace(',', '.') : undefined;
}
