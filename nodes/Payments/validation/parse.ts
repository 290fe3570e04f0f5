import { COUNTRIES, CURRENCIES } from '../../shared/codes.generated';
import { failed, ok, type Problem, type Result } from '../../shared/result';
import { quote } from '../../shared/values';

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
 * @param what they are, such as "a currency of ISO 4217"
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
		const fix = meant === undefined ? hint : `Use ${meant}, the code of ${quote(value)}.`;
		return failed(`${quote(value)} isn't ${what}`, fix);
	};
}

export const CURRENCY_FORM = 'Use its code of three letters.';
export const COUNTRY_FORM = 'Use its code of two letters.';

/** Reads an ISO 4217 code (section 2.1). */
export const parseCurrency = codeParser(Object.keys(CURRENCIES), 'currency', {
	what: 'a currency of ISO 4217',
	hint: CURRENCY_FORM,
});

/** Reads an ISO 3166-1 alpha-2 code (section 2.2). */
export const parseCountry = codeParser(COUNTRIES, 'region', {
	what: 'a country of ISO 3166-1',
	hint: COUNTRY_FORM,
	// Of the European Union, for example in VAT numbers.
	others: new Map([
		['UK', 'GB'],
		['EL', 'GR'],
	]),
});

/** What makes a text invalid as an ID or a status. */
interface Flaw {
	/** One of them matches the trimmed text. */
	patterns: readonly RegExp[];
	/** What the text has or is. The message begins with the text. */
	reason: string;
	/** What to change, and where. */
	fix: string;
}

/** What spreadsheets, databases, and programs write where there is no value. */
const PLACEHOLDERS = [
	// Spreadsheets, also in other languages: #REF!, #NAME?, #DIV/0!, #WERT!
	/^#[\p{L}\d/_]+[!?]$/u,
	// #N/A, in German #NV, and in Spanish #N/D.
	/^#(?:\p{L}\/\p{L}|NV|GETTING_DATA)$/iu,
	// A column that is too narrow, and the codes of LibreOffice.
	/^(?:#{2,}|Err:\d{3})$/i,
	/^(?:null|\(null\)|<null>|\\N|<NA>|N\/A|nan|undefined|Invalid Date(?:Time)?)$/i,
];

const FORMAT_AS_TEXT =
	'In the spreadsheet, format the column as text, and enter or import the value again.';

/**
 * Everything that makes a text invalid as an ID or a status (docs/idempotency.md). The generated
 * Event ID depends on these texts. So that two spellings don't become two transactions, and two
 * transactions never one, such a text is neither sent nor corrected.
 */
const FLAWS: readonly Flaw[] = [
	{
		patterns: [/\ufffd/],
		reason: 'has a character that was read in the wrong encoding',
		fix: 'Read the file in the encoding in which it was saved, such as UTF-8.',
	},
	{
		patterns: [/[\p{Cc}\p{Cf}]/u],
		reason: 'has a line break, a tab, or an invisible character',
		fix: 'Remove it where the text comes from. In a spreadsheet, CLEAN() removes line breaks and tabs.',
	},
	{
		patterns: [/ {2}|[^\S ]/],
		reason: 'has two blanks in a row, or a blank of another width',
		fix: 'Write one ordinary blank there. In a spreadsheet, TRIM() makes one of several.',
	},
	{
		patterns: [/\{\{/],
		reason: 'has an expression in braces that was not evaluated',
		fix: "Where the text comes from, switch the field with the expression to 'Expression', or write its value there.",
	},
	{
		patterns: [/\[object Object\]/],
		reason: 'has an object in place of a value',
		fix: 'Choose a value in the object, such as {{ $json.order.id }}.',
	},
	{
		patterns: PLACEHOLDERS,
		reason: 'is a placeholder for a value that is missing',
		fix: 'Correct the formula, query, or expression that it comes from. A field that is optional can be empty.',
	},
	{
		patterns: [/^\d(?:\.\d+)?E\+\d{2,}$/],
		reason: 'is the short form of a longer number, whose last digits are lost',
		fix: FORMAT_AS_TEXT,
	},
	{
		patterns: [/^'\d+$/],
		reason: 'has the apostrophe by which spreadsheets mark numbers that are text',
		fix: 'Remove the apostrophe. In the spreadsheet, format the column as text instead.',
	},
	{
		patterns: [/^=".*"$/],
		reason: 'is the formula of a spreadsheet, and not its value',
		fix: 'Write only what is between the quotation marks. In the spreadsheet, format the column as text instead.',
	},
];

/**
 * Reads an ID or a status: External ID, External Status, Event ID, and the IDs of entities and
 * payment channels. The text is trimmed, and otherwise as given.
 */
export function parseIdentifier(value: unknown): Result<string> {
	const read = parseText(value);
	if (read.problem) return read;
	const text = read.value;
	const flaw = FLAWS.find(({ patterns }) => patterns.some((one) => one.test(text)));
	return flaw ? failed(`${quote(text)} ${flaw.reason}`, flaw.fix) : ok(text);
}
