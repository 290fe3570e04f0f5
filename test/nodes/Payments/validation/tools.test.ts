import { readColumns } from '../../../../nodes/Payments/input/readItems';
import { parseAmount } from '../../../../nodes/Payments/validation/amount';
import { parseIdentifier } from '../../../../nodes/Payments/validation/parse';
import { parseTimestamp } from '../../../../nodes/Payments/validation/timestamp';
import { asSentences, type Result } from '../../../../nodes/shared/result';
import { isBlank } from '../../../../nodes/shared/values';
import { sampleInput, validateItem } from '../../../support/builders/transactions';
import itemsBySource from '../../../fixtures/tools/items.json';

/* What n8n reads from databases and files that tools wrote (fixtures/tools/make.py). */

const ID = parseIdentifier;
const AMOUNT = (value: unknown) => parseAmount(value, { currency: 'EUR' });
/** With the option that write.csv2's amounts need. */
const COMMA = (value: unknown) =>
	parseAmount(value, { currency: 'EUR', decimalSeparator: 'comma' });
/** What is sent of an amount of the table: with two decimals. */
const inEuros = (amount: string) =>
	amount &&
	[...amount.split('.'), '']
		.slice(0, 2)
		.map((part, at) => (at ? part.padEnd(2, '0') : part))
		.join('.');
/** As text, in the zone of the tools. */
function TIME(value: unknown): Result<string> {
	const source = () => ({ code: '$json.at', isColumn: false });
	const read = parseTimestamp(value, { timeZone: 'UTC', source });
	if (read.problem) return read;
	return { value: new Date(read.value).toISOString().replace('.000', '') };
}

/* Why a value is refused. */
const DECIMAL = /that a program wrote as a decimal.*prefix/;
const SHORT_FORM = /short form.*as text/;
const PLACEHOLDER = /placeholder/;
const NO_TEXT = /isn't text.*as text/;
const NO_NUMBER = /isn't a plain decimal number.*1234\.50/;
const NO_COMMA_NUMBER = /isn't a number with a decimal comma/;
const TWO_READINGS = /can be .*'Decimal Separator'/;
const TOO_PRECISE = /EUR has at most 2/;
const TOO_LONG = /more digits than a number holds exactly/;
/** Either the expression that reads it, or, for what is no time, what is one. */
const OTHER_TIME =
	/is a date in another form.*(?:fromFormat|1899)|isn't a point in time.*2025-05-28T/;
const SECONDS = /looks like seconds.*Multiply/;
/** Days since 1970, for which no expression that counts from 1899 is named. */
const DAYS = /lies before 1973\. Use a date and time/;
const SHORT_ZONE = /short name.*offset/;

type Source = keyof typeof itemsBySource;
type TableRow = [
	sources: Source[],
	column: string,
	read: (value: unknown) => Result<string>,
	values: Array<string | RegExp>,
];

const R: Source[] = ['r.csv', 'r-csv2.csv', 'r-tabs.csv'];
const MARIADB_FILES: Source[] = ['mariadb-client.csv', 'mariadb-outfile.csv'];
const MARIADB_VALUES: Source[] = ['mariadb', 'mariadb-numbers', 'mariadb.json'];

/** What each value of a column is: exact, refused, or, if it's empty, ''. */
const TABLE: TableRow[] = [
	[
		[
			'libreoffice-de-CH.csv',
			'libreoffice-de-CH.xlsx',
			'libreoffice-de-DE.csv',
			'libreoffice-de-DE.xlsx',
			'libreoffice-en-US.csv',
			'libreoffice-en-US.xlsx',
			'libreoffice-fr-FR.csv',
			'libreoffice-fr-FR.xlsx',
		],
		'id',
		ID,
		['1001', '202611000000'],
	],
	[
		[
			'libreoffice-de-CH.csv',
			'libreoffice-de-CH.xlsx',
			'libreoffice-de-DE.csv',
			'libreoffice-de-DE.xlsx',
			'libreoffice-en-US.csv',
			'libreoffice-en-US.xlsx',
			'libreoffice-fr-FR.csv',
			'libreoffice-fr-FR.xlsx',
		],
		'amount',
		AMOUNT,
		['1250', '0.5'],
	],
	[
		[
			'libreoffice-de-CH.csv',
			'libreoffice-de-CH.xlsx',
			'libreoffice-fr-FR.csv',
			'libreoffice-fr-FR.xlsx',
		],
		'grouped',
		AMOUNT,
		[NO_NUMBER, '25.01'],
	],
	[
		[
			'libreoffice-de-CH.csv',
			'libreoffice-de-CH.xlsx',
			'libreoffice-en-US.csv',
			'libreoffice-en-US.xlsx',
		],
		'three',
		AMOUNT,
		['1.25', '999'],
	],
	[
		[
			'libreoffice-de-CH.csv',
			'libreoffice-de-CH.xlsx',
			'libreoffice-de-DE.csv',
			'libreoffice-de-DE.xlsx',
			'libreoffice-en-US.csv',
			'libreoffice-en-US.xlsx',
			'libreoffice-fr-FR.csv',
			'libreoffice-fr-FR.xlsx',
		],
		'day',
		TIME,
		[OTHER_TIME, OTHER_TIME],
	],
	[
		[
			'libreoffice-de-DE.csv',
			'libreoffice-de-DE.xlsx',
			'libreoffice-en-US.csv',
			'libreoffice-en-US.xlsx',
		],
		'grouped',
		AMOUNT,
		['1250', '25.01'],
	],
	[['libreoffice-de-DE.csv', 'libreoffice-de-DE.xlsx'], 'three', AMOUNT, ['1250', '999000']],
	[
		['libreoffice-fr-FR.csv', 'libreoffice-fr-FR.xlsx'],
		'three',
		AMOUNT,
		[TWO_READINGS, TWO_READINGS],
	],
	[
		['mariadb', 'mariadb-numbers'],
		'id',
		ID,
		['1001', '100000', '1234567890123456', '', '9007199254740993'],
	],
	[
		MARIADB_FILES,
		'id',
		ID,
		['1001', '100000', '1234567890123456', PLACEHOLDER, '9007199254740993'],
	],
	[['mariadb.json'], 'id', ID, ['1001', '100000', '1234567890123456', '', NO_TEXT]],
	[MARIADB_VALUES, 'double_id', ID, ['1001', '100000', '1234567890123456', '', NO_TEXT]],
	[MARIADB_FILES, 'double_id', ID, ['1001', '100000', SHORT_FORM, PLACEHOLDER, SHORT_FORM]],
	[['mariadb'], 'decimal_id', ID, [DECIMAL, DECIMAL, DECIMAL, '', DECIMAL]],
	[MARIADB_FILES, 'decimal_id', ID, [DECIMAL, DECIMAL, DECIMAL, PLACEHOLDER, DECIMAL]],
	[
		['mariadb-numbers', 'mariadb.json'],
		'decimal_id',
		ID,
		['1001', '100000', '705', '', '20261101'],
	],
	[MARIADB_VALUES, 'name', ID, ['INV-7.10', '00123', PLACEHOLDER, '', '']],
	[MARIADB_FILES, 'name', ID, ['INV-7.10', '00123', PLACEHOLDER, PLACEHOLDER, '']],
	// MariaDB's boolean is a number.
	[MARIADB_VALUES, 'paid', ID, ['1', '0', '1', '', '0']],
	[MARIADB_FILES, 'paid', ID, ['1', '0', '1', PLACEHOLDER, '0']],
	[['mariadb'], 'amount', AMOUNT, ['1250.00', '0.50', '9999999999.99', '', '705.00']],
	[MARIADB_FILES, 'amount', AMOUNT, ['1250.00', '0.50', '9999999999.99', NO_NUMBER, '705.00']],
	[
		['mariadb-numbers', 'mariadb.json'],
		'amount',
		AMOUNT,
		['1250', '0.5', '9999999999.99', '', '705'],
	],
	[['mariadb'], 'four_decimals', AMOUNT, ['1250.00', '1250.50', TOO_PRECISE, '', TOO_PRECISE]],
	[
		MARIADB_FILES,
		'four_decimals',
		AMOUNT,
		['1250.00', '1250.50', TOO_PRECISE, NO_NUMBER, TOO_PRECISE],
	],
	[
		['mariadb-numbers', 'mariadb.json'],
		'four_decimals',
		AMOUNT,
		['1250', '1250.5', TOO_LONG, '', TOO_PRECISE],
	],
	[MARIADB_VALUES, 'double', AMOUNT, ['1250', '100000', TOO_PRECISE, '', TOO_LONG]],
	[MARIADB_FILES, 'double', AMOUNT, ['1250', '100000', TOO_PRECISE, NO_NUMBER, NO_NUMBER]],
	// A timestamp is in the time zone of the connection, which is UTC here.
	[
		MARIADB_VALUES,
		'at',
		TIME,
		[
			'2026-11-27T13:30:00Z',
			'2026-06-28T11:00:00Z',
			'1998-01-31T23:00:00Z',
			'',
			'2026-06-28T11:00:00Z',
		],
	],
	[
		MARIADB_FILES,
		'at',
		TIME,
		[
			'2026-11-27T13:30:00Z',
			'2026-06-28T11:00:00Z',
			'1998-01-31T23:00:00Z',
			OTHER_TIME,
			'2026-06-28T11:00:00Z',
		],
	],
	[
		MARIADB_VALUES,
		'local',
		TIME,
		['2026-11-27T14:30:00Z', '2026-06-28T12:00:00Z', '1998-02-01T00:00:00Z', '', OTHER_TIME],
	],
	[
		MARIADB_FILES,
		'local',
		TIME,
		[
			'2026-11-27T14:30:00Z',
			'2026-06-28T12:00:00Z',
			'1998-02-01T00:00:00Z',
			OTHER_TIME,
			OTHER_TIME,
		],
	],
	[
		MARIADB_VALUES,
		'day',
		TIME,
		['2026-11-27T00:00:00Z', '2026-06-28T00:00:00Z', '1998-02-01T00:00:00Z', '', OTHER_TIME],
	],
	[
		MARIADB_FILES,
		'day',
		TIME,
		[
			'2026-11-27T00:00:00Z',
			'2026-06-28T00:00:00Z',
			'1998-02-01T00:00:00Z',
			OTHER_TIME,
			OTHER_TIME,
		],
	],
	[['openpyxl.xlsx'], 'id', ID, ['1001', '100000', '20261101', '1234567890123456']],
	[['openpyxl.xlsx'], 'float_id', ID, ['1001', '100000', '20261101', '1234567890123456']],
	[['openpyxl.xlsx'], 'text_id', ID, ['1001', '100000', '20261101', '1234567890123456']],
	[['openpyxl.xlsx'], 'paid', ID, [NO_TEXT, NO_TEXT, NO_TEXT, '']],
	[['openpyxl.xlsx'], 'amount', AMOUNT, ['1250', '1250.5', '100000', '705']],
	[['openpyxl.xlsx'], 'calculated', AMOUNT, ['1250', '0.3', '59.97', '125050']],
	[['openpyxl.xlsx'], 'text_amount', AMOUNT, ['1250.00', NO_NUMBER, TWO_READINGS, '705']],
	// Only a spreadsheet calculates it.
	[['openpyxl.xlsx'], 'formula', AMOUNT, ['', '', '', '']],
	[['openpyxl.xlsx'], 'day', TIME, [OTHER_TIME, OTHER_TIME, OTHER_TIME, '']],
	[['openpyxl.xlsx'], 'at', TIME, [OTHER_TIME, OTHER_TIME, OTHER_TIME, '']],
	[['pandas-comma.csv', 'pandas.csv'], 'id', ID, [DECIMAL, DECIMAL, '']],
	[['pandas-comma.csv', 'pandas.csv'], 'whole', ID, [DECIMAL, '', DECIMAL]],
	[['pandas-comma.csv'], 'amount', AMOUNT, [NO_NUMBER, NO_NUMBER, NO_NUMBER]],
	[
		['pandas-comma.csv', 'pandas-short.csv', 'pandas.csv', 'pandas.xlsx'],
		'code',
		ID,
		['00123', 'INV-7', ''],
	],
	[
		['pandas-comma.csv', 'pandas-short.csv', 'pandas.csv'],
		'at',
		TIME,
		['2026-11-27T14:30:00Z', '2026-06-28T12:00:00Z', ''],
	],
	[['pandas-na.csv', 'pandas-str.csv'], 'id', ID, [DECIMAL, DECIMAL, PLACEHOLDER]],
	[['pandas-na.csv', 'pandas-str.csv'], 'whole', ID, [DECIMAL, PLACEHOLDER, DECIMAL]],
	[['pandas-na.csv'], 'amount', AMOUNT, ['1250.00', '0.50', TWO_READINGS]],
	[['pandas-na.csv', 'pandas-str.csv'], 'code', ID, ['00123', 'INV-7', PLACEHOLDER]],
	[
		['pandas-na.csv', 'pandas-str.csv'],
		'at',
		TIME,
		['2026-11-27T14:30:00Z', '2026-06-28T12:00:00Z', OTHER_TIME],
	],
	[['pandas-short.csv'], 'id', ID, ['1001', SHORT_FORM, '']],
	[['pandas-short.csv', 'pandas.xlsx'], 'whole', ID, ['42', '', '7']],
	[['pandas-short.csv', 'pandas.xlsx', 'sqlite.csv'], 'amount', AMOUNT, ['1250', '0.5', '25.01']],
	[['pandas-str.csv', 'pandas.csv'], 'amount', AMOUNT, ['1250.0', '0.5', '25.01']],
	[['pandas.xlsx'], 'id', ID, ['1001', '202611000000', '']],
	[['pandas.xlsx'], 'at', TIME, [OTHER_TIME, OTHER_TIME, '']],
	[['postgres', 'psql.csv'], 'id', ID, ['1001', '202611000000', '', '9007199254740993']],
	[['postgres', 'psql.csv'], 'amount', AMOUNT, ['1250.00', '0.50', '', '9999999999.99']],
	[['postgres', 'psql.csv'], 'four_decimals', AMOUNT, ['1250.00', '25.01', '', TOO_PRECISE]],
	[['postgres', 'psql.csv'], 'three_decimals', AMOUNT, ['1250.00', TWO_READINGS, '', TWO_READINGS]],
	[['postgres', 'postgres-numbers'], 'float', ID, ['1250', '202611000000', '', NO_TEXT]],
	[['postgres', 'postgres-numbers'], 'float', AMOUNT, ['1250', '202611000000', '', TOO_LONG]],
	[
		['postgres', 'postgres-numbers', 'psql.csv'],
		'money',
		AMOUNT,
		[NO_NUMBER, NO_NUMBER, '', NO_NUMBER],
	],
	[['postgres', 'postgres-numbers'], 'small_float', ID, ['1250', NO_TEXT, '', NO_TEXT]],
	[['postgres', 'postgres-numbers'], 'small_float', AMOUNT, ['1250', TOO_LONG, '', '0.1']],
	[
		['postgres', 'postgres-numbers', 'psql.csv'],
		'at',
		TIME,
		['2026-11-27T13:30:00.250Z', '1998-02-01T00:00:00Z', '', '2026-06-28T11:00:00Z'],
	],
	[
		['postgres', 'postgres-numbers', 'psql.csv'],
		'local',
		TIME,
		['2026-11-27T14:30:00Z', '1998-02-01T00:00:00Z', '', '2026-06-28T12:00:00Z'],
	],
	[
		['postgres', 'postgres-numbers', 'psql.csv'],
		'day',
		TIME,
		['2026-11-27T00:00:00Z', '1998-02-01T00:00:00Z', '', '2026-06-28T00:00:00Z'],
	],
	[
		['postgres', 'postgres-numbers', 'psql.csv'],
		'name',
		ID,
		['INV-7.10', '00123', '', PLACEHOLDER],
	],
	[['postgres', 'postgres-numbers'], 'paid', ID, [NO_TEXT, NO_TEXT, '', '']],
	[['postgres-numbers'], 'id', ID, ['1001', '202611000000', '', NO_TEXT]],
	[['postgres-numbers'], 'amount', AMOUNT, ['1250', '0.5', '', '9999999999.99']],
	[['postgres-numbers'], 'four_decimals', AMOUNT, ['1250', '25.01', '', TOO_PRECISE]],
	[['postgres-numbers'], 'three_decimals', AMOUNT, ['1250', '1.25', '', '999']],
	[['psql.csv'], 'float', ID, ['1250', '202611000000', '', SHORT_FORM]],
	[['psql.csv'], 'float', AMOUNT, ['1250', '202611000000', '', NO_NUMBER]],
	[['psql.csv'], 'small_float', ID, ['1250', SHORT_FORM, '', '0.1']],
	[['psql.csv'], 'small_float', AMOUNT, ['1250', NO_NUMBER, '', '0.1']],
	[['psql.csv'], 'paid', ID, ['t', 'f', '', '']],
	[R, 'id', ID, ['1001', SHORT_FORM, '20261101', SHORT_FORM, PLACEHOLDER]],
	[R, 'integer', ID, ['1001', '100000', '20261101', '705', PLACEHOLDER]],
	[R, 'text', ID, ['1001', '100000', '20261101', '202611000000', PLACEHOLDER]],
	[R, 'factor', ID, ['1001', '100000', '20261101', '202611000000', PLACEHOLDER]],
	// A person can mean NA behind a prefix, such as a region.
	[R, 'pasted', ID, ['INV-1001', SHORT_FORM, 'INV-20261101', SHORT_FORM, 'INV-NA']],
	[R, 'pasted_integer', ID, ['INV-1001', 'INV-100000', 'INV-20261101', 'INV-705', 'INV-NA']],
	[R, 'paid', ID, ['TRUE', PLACEHOLDER, 'TRUE', PLACEHOLDER, PLACEHOLDER]],
	[['r.csv', 'r-tabs.csv'], 'amount', AMOUNT, ['1250', NO_NUMBER, '1250.5', '0.3', NO_NUMBER]],
	[
		['r.csv', 'r-tabs.csv'],
		'whole',
		AMOUNT,
		['705', NO_NUMBER, NO_NUMBER, '1234567.89', NO_NUMBER],
	],
	[['r-csv2.csv'], 'amount', AMOUNT, ['1250', NO_NUMBER, NO_NUMBER, NO_NUMBER, NO_NUMBER]],
	[['r-csv2.csv'], 'amount', COMMA, ['1250', NO_COMMA_NUMBER, '1250.5', '0.3', NO_COMMA_NUMBER]],
	[
		['r-csv2.csv'],
		'whole',
		COMMA,
		['705', NO_COMMA_NUMBER, NO_COMMA_NUMBER, '1234567.89', NO_COMMA_NUMBER],
	],
	[R, 'formatted', AMOUNT, ['1250.00', '100000.00', '1250.50', '0.30', NO_NUMBER]],
	[R, 'grouped', AMOUNT, [TWO_READINGS, TWO_READINGS, NO_NUMBER, '705', NO_NUMBER]],
	[
		R,
		'day',
		TIME,
		[
			'2026-11-27T00:00:00Z',
			'2026-06-28T00:00:00Z',
			'1998-02-01T00:00:00Z',
			'2026-10-25T00:00:00Z',
			OTHER_TIME,
		],
	],
	[R, 'bare_day', TIME, [DAYS, DAYS, DAYS, DAYS, OTHER_TIME]],
	...['at', 'with_offset', 'in_utc'].map((column): TableRow => [
		R,
		column,
		TIME,
		[
			'2026-11-27T14:30:00Z',
			'2026-06-28T12:00:00Z',
			'1998-02-01T00:00:00Z',
			'2026-10-25T02:30:00Z',
			OTHER_TIME,
		],
	]),
	[R, 'seconds', TIME, [SECONDS, SECONDS, SECONDS, SECONDS, OTHER_TIME]],
	[R, 'with_zone', TIME, [SHORT_ZONE, SHORT_ZONE, SHORT_ZONE, SHORT_ZONE, OTHER_TIME]],
	// The names of the rows, in a column without a name.
	[['r.csv'], '', ID, ['1', '2', '3', '4', '5']],
	[['separators.csv'], 'id', ID, ['1001', '', '']],
	[['separators.csv'], 'amount', AMOUNT, [NO_NUMBER, '', '']],
	[['sqlite.csv'], 'id', ID, ['1001', '202611000000', '1002']],
	[['sqlite.csv'], 'text_amount', AMOUNT, ['1250.00', '0.50', '25.01']],
	[['sqlite.csv'], 'real_amount', AMOUNT, ['1250.0', '0.5', '25.01']],
	[['sqlite.csv'], 'real_id', ID, [DECIMAL, DECIMAL, SHORT_FORM]],
	[
		['sqlite.csv'],
		'at',
		TIME,
		['2026-11-27T14:30:00Z', '2026-06-28T11:00:00Z', '2026-06-28T00:00:00Z'],
	],
];

const columnsOf = (source: string): Array<Record<string, unknown>> =>
	itemsBySource[source as keyof typeof itemsBySource];

test.each(TABLE)('%j: %s', (sources, column, read, values) => {
	for (const source of sources) {
		const given = columnsOf(source).map((item) => item[column]);
		expect(given).toHaveLength(values.length);
		for (const [index, value] of given.entries()) {
			const expected = values[index];
			const { value: exact, problem } = isBlank(value) ? { value: '' } : read(value);
			if (expected instanceof RegExp) expect(problem && asSentences(problem)).toMatch(expected);
			else {
				const sent = read === AMOUNT || read === COMMA ? inEuros(expected) : expected;
				expect({ value, exact }).toEqual({ value, exact: sent });
			}
		}
	}
});

test('the table has every column', () => {
	const inTable = new Set(
		TABLE.flatMap(([sources, column]) => sources.map((one) => `${one} ${column}`)),
	);
	const all = Object.keys(itemsBySource).flatMap((source) =>
		columnsOf(source).flatMap((item) => Object.keys(item).map((column) => `${source} ${column}`)),
	);
	expect([...new Set(all)].filter((one) => !inTable.has(one))).toEqual([]);
});

test.each([
	['psql.csv', [false, false, true, false]],
	['postgres', [false, false, true, false]],
	['pandas.csv', [false, false, false]],
	['separators.csv', [false, true, true]],
])('%s has empty rows: %j', (source, expected) =>
	expect(readColumns(columnsOf(source)).map(({ isEmpty }) => isEmpty)).toEqual(expected),
);

/** Columns with the IDs of movements, and the IDs as their columns without flaws have them. */
const IDS: Array<[sources: Source[], columns: string[], ids: string[]]> = [
	[R, ['id', 'text', 'factor'], ['1001', '100000', '20261101', '202611000000']],
	[R, ['integer'], ['1001', '100000', '20261101', '705']],
	[R, ['pasted'], ['INV-1001', 'INV-100000', 'INV-20261101', 'INV-202611000000']],
	[R, ['pasted_integer'], ['INV-1001', 'INV-100000', 'INV-20261101', 'INV-705']],
	[
		[...MARIADB_FILES, ...MARIADB_VALUES],
		['id', 'double_id'],
		['1001', '100000', '1234567890123456', '', '9007199254740993'],
	],
	[
		[...MARIADB_FILES, ...MARIADB_VALUES],
		['decimal_id'],
		['1001', '100000', '705', '', '20261101'],
	],
	[
		['openpyxl.xlsx'],
		['id', 'float_id', 'text_id'],
		['1001', '100000', '20261101', '1234567890123456'],
	],
];

test.each(IDS)('%j have one Event ID for a movement, or none: %j', (sources, columns, ids) => {
	const eventIdOf = (externalId: unknown) =>
		validateItem(sampleInput({ eventId: '', externalId }), { timeZone: 'UTC' }).transaction
			?.eventId;
	for (const [source, column, index] of sources.flatMap((one) =>
		columns.flatMap((column) => ids.map((_, index) => [one, column, index] as const)),
	)) {
		const written = columnsOf(source)[index][column];
		const eventId = eventIdOf(written);
		if (eventId !== undefined)
			expect({ written, eventId }).toEqual({ written, eventId: eventIdOf(ids[index]) });
	}
});
