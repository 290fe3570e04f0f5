import { COUNTRIES, CURRENCIES } from '../../shared/codes.generated';
import { failed, ok, type Problem, type Result } from '../../shared/result';
import { isEmpty, quote } from '../../shared/values';

export const EMPTY = 'The field is empty';

/** Longer text is a wrong mapping, and would only cost time. */
const MAX_TEXT_LENGTH = 1000;

/** Whether a text is longer than a field may be. Checked before anything reads the text. */
export function tooLong(value: unknown, maxLength: number): { problem: Problem } | undefined {
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
