import { readColumns } from '../../../../nodes/Payments/input/readItems';
import { parseAmount } from '../../../../nodes/Payments/validation/amount';
import { parseIdentifier } from '../../../../nodes/Payments/validation/parse';
import { parseTimestamp } from '../../../../nodes/Payments/validation/timestamp';
import { asSentences, type Result } from '../../../../nodes/shared/result';
import { isBlank } from '../../../../nodes/shared/values';
import itemsBySource from '../../../fixtures/tools/items.json';

/* What n8n reads from databases and files that tools wrote (fixtures/tools/make.py). */

const ID = parseIdentifier;
const AMOUNT = (value: unknown) => parseAmount(value, { currency: 'EUR' });
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
const TWO_READINGS = /can be .*'Decimal Separator'/;
const TOO_PRECISE = /EUR has at most 2/;
const TOO_LONG = /more digits than a number holds exactly/;
/** Either the expression that reads it, or, for what is no time, what is one. */
const OTHER_TIME =
	/is a date in another form.*(?:fromFormat|1899)|isn't a point in time.*2025-05-28T/;

/** What each value of a column is: exact, refused, or, if it's empty, ''. */
const TABLE: Array<
	[
		sources: Array<keyof typeof itemsBySource>,
		column: string,
		read: (value: unknown) => Result<string>,
		values: Array<string | RegExp>,
	]
> = [
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
			else expect({ value, exact }).toEqual({ value, exact: expected });
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
