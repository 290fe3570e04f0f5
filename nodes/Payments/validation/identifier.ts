import { failed, ok, type Result } from '../../shared/result';
import { isBlank, quote } from '../../shared/values';
import { readText } from './parse';

/** What makes a text invalid as an ID or a status. */
interface Flaw {
	/** @param text trimmed */
	isIn: (text: string) => boolean;
	/** What the text has or is. The message begins with the text. */
	reason: string;
	/** What to change, and where. */
	fix: string;
}

const matches = (pattern: RegExp) => (text: string) => pattern.test(text);

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
		isIn: matches(/\ufffd/),
		reason: 'has a character that was read in the wrong encoding',
		fix: 'Read the file in the encoding in which it was saved, such as UTF-8.',
	},
	{
		isIn: matches(/[\p{Cc}\p{Cf}]/u),
		reason: 'has a line break, a tab, or an invisible character',
		fix: 'Remove it where the text comes from. In a spreadsheet, CLEAN() removes line breaks and tabs.',
	},
	{
		isIn: matches(/ {2}|[^\S ]/),
		reason: 'has two blanks in a row, or a blank of another width',
		fix: 'Write one ordinary blank there. In a spreadsheet, TRIM() makes one of several.',
	},
	{
		isIn: matches(/\{\{/),
		reason: 'has an expression in braces that was not evaluated',
		fix: "Where the text comes from, switch the field with the expression to 'Expression', or write its value there.",
	},
	{
		isIn: matches(/\[object Object\]/),
		reason: 'has an object in place of a value',
		fix: 'Choose a value in the object, such as {{ $json.order.id }}.',
	},
	{
		isIn: (text) => PLACEHOLDERS.some((placeholder) => placeholder.test(text)),
		reason: 'is a placeholder for a value that is missing',
		fix: 'Correct the formula, query, or expression that it comes from. A field that is optional can be empty.',
	},
	{
		isIn: matches(/^\d(?:\.\d+)?E\+\d{2,}$/),
		reason: 'is the short form of a longer number, whose last digits are lost',
		fix: FORMAT_AS_TEXT,
	},
	{
		isIn: matches(/^'\d+$/),
		reason: 'has the apostrophe by which spreadsheets mark numbers that are text',
		fix: 'Remove the apostrophe. In the spreadsheet, format the column as text instead.',
	},
	{
		isIn: matches(/^=".*"$/),
		reason: 'is the formula of a spreadsheet, and not its value',
		fix: 'Write only what is between the quotation marks. In the spreadsheet, format the column as text instead.',
	},
];

/**
 * Reads an ID or a status: External ID, External Status, Event ID, and the IDs of entities and
 * payment channels. The text is trimmed, and otherwise as given.
 */
export function parseIdentifier(value: unknown): Result<string> {
	const read = readText(value, isBlank);
	if (read.problem) return read;
	const text = read.value;
	const flaw = FLAWS.find(({ isIn }) => isIn(text));
	return flaw ? failed(`${quote(text)} ${flaw.reason}`, flaw.fix) : ok(text);
}
