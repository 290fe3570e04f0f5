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
export const isAmbiguous = (text: string): boolean => ONE_DOT.test(text);

/**
 * Replaces the decimal comma of a number such as `1.250,00` by a dot, and removes thousands
 * separators. Nothing is calculated.
 *
 * @returns `undefined` for text that is ambiguous, mixes separators, or isn't such a number
 */
export function replaceDecimalComma(text: string): string | undefined {
	const isNumber = UNGROUPED.test(text) || (GROUPED.test(text) && !isAmbiguous(text));
	return isNumber ? text.replace(/[^\d,]/g, '').replace(',', '.') : undefined;
}
