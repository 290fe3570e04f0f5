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

/** Half of a character of two UTF-16 code units. UTF-8, in which text is sent, has none. */
const LONE_SURROGATE = /\p{Cs}/u;

/**
 * Reads text as it can be sent, trimmed. Whole numbers, as spreadsheets have them, become text.
 *
 * @param isNone whether the value counts as none
 */
export function readText(value: unknown, isNone: (value: unknown) => boolean): Result<string> {
	if (isNone(value)) return failed(EMPTY, 'Fill it in.');
	if (Number.isSafeInteger(value)) return ok(String(value));
	if (typeof value !== 'string') {
		return failed(
			`${quote(value)} isn't text`,
			'Give it as text. In a spreadsheet, format the column as text.',
		);
	}
	const long = tooLong(value, MAX_TEXT_LENGTH);
	if (long) return long;
	const text = value.trim();
	if (LONE_SURROGATE.test(text)) {
		return failed(
			`${quote(text)} has half of a character, such as of an emoji, and can't be sent`,
			"Cut the text between characters, such as with {{ [...$json.text].slice(0, 20).join('') }}.",
		);
	}
	return ok(text);
}

/** Reads references and schemes. */
export const parseText = (value: unknown): Result<string> => readText(value, isEmpty);

interface CodeWords {
	type: 'currency' | 'region';
	message: (given: string) => string;
	hint: string;
	/** Codes that others use for some of them. */
	others?: ReadonlyMap<string, string>;
}

/** Reads codes, also in lower case and with blanks around them. */
function codeParser(
	codes: readonly string[],
	{ type, message, hint, others }: CodeWords,
): (value: unknown) => Result<string> {
	const known = new Set(codes);
	// The English names in Unicode's locale data.
	const names = new Intl.DisplayNames('en', { type, fallback: 'none' });
	const codeByName = new Map(codes.map((code) => [names.of(code)?.toUpperCase() ?? code, code]));

	return (value) => {
		if (isEmpty(value)) return failed(EMPTY, hint);
		const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
		if (known.has(code)) return ok(code);
		const meant = codeByName.get(code) ?? others?.get(code);
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
	// Of the European Union, for example in VAT numbers.
	others: new Map([
		['UK', 'GB'],
		['EL', 'GR'],
	]),
});
