import { COUNTRIES, CURRENCIES } from '../../shared/codes.generated';
import { failed, ok, type Problem, type Result } from '../../shared/result';
import { quote } from '../../shared/values';
import { findFlaw } from '../identifierFlaws';

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
 * Reads references and schemes: text as it can be sent, trimmed. Whole numbers, as spreadsheets
 * have them, become text.
 */
export function parseText(value: unknown): Result<string> {
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

/**
 * Returns a function that reads codes, also in lower case and with blanks around them.
 *
 * @param what they are, such as "a currency code"
 * @param hint how they are written
 * @param others codes that others use for some of them
 */
function codeParser(
	codes: readonly string[],
	type: 'currency' | 'region',
	{ what, hint, others }: { what: string; hint: string; others?: ReadonlyMap<string, string> },
): (value: unknown) => Result<string> {
	const known = new Set(codes);
	// The English names in Unicode's locale data.
	const names = new Intl.DisplayNames('en', { type, fallback: 'none' });
	const codeByName = new Map(codes.map((code) => [names.of(code)?.toUpperCase() ?? code, code]));

	return (value) => {
		const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
		if (known.has(code)) return ok(code);
		const meant = codeByName.get(code) ?? others?.get(code);
		return failed(`${quote(value)} isn't ${what}`, meant === undefined ? hint : `Use ${meant}.`);
	};
}

export const CURRENCY_FORM = 'Use its code of three letters.';
export const COUNTRY_FORM = 'Use its code of two letters.';

/** Reads an ISO 4217 code (section 2.1). */
export const parseCurrency = codeParser(Object.keys(CURRENCIES), 'currency', {
	what: 'a currency code',
	hint: CURRENCY_FORM,
});

/** Reads an ISO 3166-1 alpha-2 code (section 2.2). */
export const parseCountry = codeParser(COUNTRIES, 'region', {
	what: 'a country code',
	hint: COUNTRY_FORM,
	// Of the European Union, for example in VAT numbers.
	others: new Map([
		['UK', 'GB'],
		['EL', 'GR'],
	]),
});

/**
 * Reads an ID or a status: External ID, External Status, Event ID, and the IDs of entities and
 * payment channels. The text is trimmed, and otherwise as given.
 */
export function parseIdentifier(value: unknown): Result<string> {
	const read = parseText(value);
	if (read.problem) return read;
	const text = read.value;
	const flaw = findFlaw(text);
	return flaw ? failed(`${quote(text)} ${flaw.reason}`, flaw.fix) : ok(text);
}
