/*
 * What makes a text invalid as an ID or a status (docs/idempotency.md). The generated Event ID
 * depends on these texts. So that two spellings don't become two transactions, and two transactions
 * never one, such a text is neither sent nor corrected.
 */

/** What makes a text invalid as an ID or a status. */
interface Flaw {
	/** One of them matches the trimmed text. */
	patterns: readonly RegExp[];
	/** What the text has or is. The message begins with the text. */
	reason: string;
	/** What to change, and where. */
	fix: string;
}

const PREFIX = 'If it is the ID itself, put a prefix before it, such as ID-.';

const PLACEHOLDER: Flaw = {
	patterns: [
		// Spreadsheets, also in other languages: #REF!, #NAME?, #DIV/0!, #WERT!
		/^#[\p{L}\d/_]+[!?]$/u,
		// #N/A, in German #NV, and in Spanish #N/D.
		/^#(?:\p{L}\/\p{L}|NV|GETTING_DATA)$/iu,
		// A column that is too narrow, and the codes of LibreOffice.
		/^(?:#{2,}|Err:\d{3})$/i,
		// Databases, Python, pandas, R, JavaScript, and Odoo, whose empty field is False.
		/^(?:null|\(null\)|<null>|\\N|<NA>|NA|N\/A|nan|NaT|None|False|undefined|Invalid Date(?:Time)?)$/i,
	],
	reason: 'is a placeholder for a value that is missing',
	fix: 'Correct the formula, query, or expression that it comes from, or leave an optional field empty. If the text is meant, write another word, or put a prefix before it.',
};

const SHORT_FORM: Flaw = {
	patterns: [
		// Also as a part: R's paste0("INV-", 100000) is INV-1e+05.
		/(?<!\d|\d[.,])\d(?:[.,]\d+)?e\+\d{2,}(?![\p{L}\d])/iu,
		// Of MariaDB and Java, which write no plus sign. Without decimals, it can be hexadecimal.
		/^\d[.,]\d+e(?:[7-9]|\d{2,})$/i,
	],
	reason: 'has the short form of a longer number, whose last digits may be lost',
	fix: 'Write all its digits where it comes from. In a spreadsheet, format the column as text, and enter or import the value again. If it is the ID itself, put a prefix before it, and leave out the plus sign.',
};

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
	PLACEHOLDER,
	SHORT_FORM,
	{
		// Programs make a decimal of a whole number as soon as another cell of its column is empty.
		patterns: [/^\d+[.,]0+$/],
		reason: 'is a whole number that a program wrote as a decimal',
		fix: `Where it comes from, format its column as whole numbers or as text. ${PREFIX}`,
	},
	{
		patterns: [/^'\d+$/],
		reason: 'has the apostrophe by which spreadsheets mark numbers that are text',
		fix: `Remove the apostrophe. In the spreadsheet, format the column as text instead. ${PREFIX}`,
	},
	{
		patterns: [/^=".*"$/],
		reason: 'is the formula of a spreadsheet, and not its value',
		fix: `Write only what is between the quotation marks. In the spreadsheet, format the column as text instead. ${PREFIX}`,
	},
];

const hasFlaw = (text: string, { patterns }: Flaw): boolean =>
	patterns.some((pattern) => pattern.test(text));

/** @param text trimmed */
export const findFlaw = (text: string): Flaw | undefined =>
	FLAWS.find((flaw) => hasFlaw(text, flaw));

/** Whether a part of an ID says that its value is missing, or has lost its last digits. */
export const isNoPart = (text: string): boolean =>
	hasFlaw(text.trim(), PLACEHOLDER) || hasFlaw(text.trim(), SHORT_FORM);
