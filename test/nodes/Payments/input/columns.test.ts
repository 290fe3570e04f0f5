import { matchColumns } from '../../../../nodes/Payments/input/columns';
import { readColumns } from '../../../../nodes/Payments/input/readItems';
import {
	FIELD_TABLE,
	FIELDS,
	parameterOf,
	valueOf,
	type Field,
	type RawTransaction,
} from '../../../../nodes/Payments/Transaction';
import { validateItems } from '../../../../nodes/Payments/validation/validate';
import { quote } from '../../../../nodes/shared/values';
import { rows, SAMPLE, validateItem } from '../../../support/builders/transactions';
import { fc, propertyRuns } from '../../../support/properties';

type Json = Record<string, unknown>;

const validate = (json: Json) => validateItem(json, { timeZone: 'UTC' });
/** The sample, with a column for each field but one. */
const without = (field: Field): Json =>
	Object.fromEntries(
		FIELDS.filter((one) => one !== field).map((one) => [one, valueOf(SAMPLE, one)]),
	);
/** The field of each column that matches one, and what is wrong with columns. */
const match = (json: Json) => {
	const { columnByField, unreadable } = matchColumns(json);
	return { columns: Object.fromEntries(columnByField!), unreadable };
};

test.each(['id', 'country', 'sender', 'Total Amount', 'Our Event ID', '', '__proto__', 'toString'])(
	'%j matches no field, and is left out',
	(name) =>
		expect(match(Object.fromEntries([[name, 'x']]))).toEqual({ columns: {}, unreadable: [] }),
);

test('a party can be an object', () => {
	const sender = { externalEntityId: 'a', country_code: 'BE', Note: 'left out' };
	expect(matchColumns({ sender, other: { amount: '1' } })).toEqual({
		unreadable: [],
		values: { 'sender.externalEntityId': 'a', 'sender.countryCode': 'BE' },
		columnByField: new Map([
			['sender.externalEntityId', 'sender.externalEntityId'],
			['sender.countryCode', 'sender.country_code'],
		]),
		isEmpty: false,
		columns: ['sender.externalEntityId', 'sender.country_code', 'sender.Note', 'other'],
	});
	for (const recipient of ['BE', null, undefined])
		expect(matchColumns({ recipient }).columns).toEqual(['recipient']);
});

test('two columns for one field, with the same value, are one', () =>
	expect(match({ 'Sender Country': 'BE', sender: { countryCode: 'BE' } })).toEqual({
		columns: { 'sender.countryCode': 'Sender Country' },
		unreadable: [],
	}));

test.each<[Json, Field, string]>([
	[{ amount: 1, Amount: '1' }, 'amount', '"amount" and "Amount"'],
	[
		{ 'Sender Country': 'DE', sender: { countryCode: 'BE' } },
		'sender.countryCode',
		'"Sender Country" and "sender.countryCode"',
	],
	[{ reference: '', Reference: 'x' }, 'reference', '"reference" and "Reference"'],
])('two columns for one field, with different values: %j', (json, field, names) => {
	const message = expect.stringContaining(names) as string;
	const fix = expect.stringContaining('Rename') as string;
	expect(match(json).unreadable).toEqual([{ field, message, fix }]);
});

describe('a column whose name goes on behind that of a field', () => {
	test.each<[Field, Json, string]>([
		['amount', { 'Amount (cents)': 1 }, '"Amount (cents)"'],
		['amount', { amount_eur: 1 }, '"amount_eur"'],
		['amount', { 'Amount €': 1 }, '"Amount €"'],
		['amount', { amounts: 1 }, '"amounts"'],
		['baseAmount', { 'Base\u200b Amount': 1 }, '"Base[U+200B] Amount"'],
		['externalCreatedAt', { 'Created at (UTC)': 1 }, '"Created at (UTC)"'],
		['sender.countryCode', { sender: { 'countryCode (ISO)': 'BE' } }, '"sender.countryCode (ISO)"'],
		[
			'eventId',
			{ 'Event ID 1': 1, 'Event ID 2': 2, 'Event ID 3': 3, 'Event ID 4': 4 },
			'"Event ID 1", "Event ID 2", "Event ID 3" and 1 more',
		],
	])('%s: %j is named, and nothing is read from it', (field, json, names) => {
		const [problem, ...others] = validate({ ...without(field), ...json }).problems!;
		expect(others).toEqual([]);
		expect(problem.field).toBe(field);
		expect(problem.message).toContain(names);
		const ownName = FIELD_TABLE[field].displayName;
		expect(problem.fix).toMatch(new RegExp(`"${ownName}" .*same unit.*another word`));
		expect(matchColumns(json).values).toEqual({});
	});

	test.each([
		['blanks', { [' '.repeat(200_000)]: 1 }],
		['a name that goes on', { [`Amount${' ('.repeat(100_000)}`]: 1 }],
		[
			'many names',
			Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`Amount ${n}`, n])),
		],
	])('is found in linear time: %s', (_, json) => {
		const start = process.cpuUsage();
		matchColumns(json);
		// Other programs don't take this time. With 40,000 names, what is quadratic takes 9 s.
		const { user, system } = process.cpuUsage(start);
		expect((user + system) / 1000).toBeLessThan(3000);
	});
});

test('a heading of names, units, and remarks matches exactly, or is refused', () => {
	const SEPARATORS = ['', ' ', '_', '-', '.', ' (', '/', ': ', ' [', ', '];
	const part = fc.constantFrom(
		...['cents', 'EUR', 'k€', 'UTC', 'ms', 'ISO', '%', 'in thousands', '2', '(', ')', ' ', '.'],
		...['ours', 'old', 'see notes', 'bank', 'v2', 'do not use', '*', '\u200b', '…', ''],
	);
	const namesOf = (field: Field) => [field, FIELD_TABLE[field].displayName, parameterOf(field)];
	/** Without what doesn't count. */
	const lettersOf = (name: string) => name.toLowerCase().replace(/[ ._\-\u00a0\ufeff]/g, '');
	/** A letter of a name in any case, and what doesn't count behind it. */
	const respelled = (letter: string) =>
		fc
			.tuple(
				fc.constantFrom(letter, letter.toUpperCase()),
				fc.constantFrom('', '', ' ', '_', '-', '.', '\u00a0', '\ufeff'),
			)
			.map((pair) => pair.join(''));
	const heading = fc.constantFrom<Field>(...FIELDS).chain((field) =>
		fc
			.tuple(
				fc.constantFrom(...namesOf(field)).chain((name) => fc.tuple(...[...name].map(respelled))),
				fc.array(fc.tuple(fc.constantFrom(...SEPARATORS), part), { maxLength: 2 }),
			)
			.map(([letters, parts]) => ({ field, name: [...letters, ...parts.flat()].join('') })),
	);
	const values = fc.oneof(fc.constant('7'), fc.constant(7), fc.constant(''), fc.anything());
	const seen = { exact: 0, refused: 0 };
	fc.assert(
		fc.property(heading, values, ({ field, name }, value) => {
			if (namesOf(field).map(lettersOf).includes(lettersOf(name))) {
				seen.exact++;
				expect(matchColumns({ [name]: value, other: 'y' })).toEqual({
					values: { [field]: value },
					unreadable: [],
					columnByField: new Map([[field, name]]),
					isEmpty: false,
					columns: [name, 'other'],
				});
				return;
			}
			seen.refused++;
			// Optional or not, with this column alone the item isn't sent.
			const { problems } = validate({ ...without(field), [name]: value });
			expect(problems?.find((one) => one.field === field)?.message).toContain(quote(name));
			// Beside a column of its own, it changes nothing.
			expect(validate({ ...SAMPLE, [name]: value }).transaction).toEqual(SAMPLE);
		}),
		{ numRuns: propertyRuns(2000, 400) },
	);
	// The generator must reach both, or the property says nothing.
	expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});

const EMPTY_ID = /^eventId: The field is empty in this item$/;
test.each<[string, Json[], RegExp[]]>([
	[
		'is not set, if no item has one',
		[{ eventId: '' }, { eventId: ' ' }, { eventId: null }, { eventId: undefined }, {}],
		[/^$/, /^$/, /^$/, /^$/, /^$/],
	],
	[
		'is invalid, if another item has one',
		[{ eventId: '' }, { event_id: 7 }, { eventId: '\t' }, {}],
		[EMPTY_ID, /^$/, EMPTY_ID, EMPTY_ID],
	],
	[
		'has one reason only, if its columns have two',
		[{ eventId: '', 'Event ID': 'e1' }, { eventId: 'e2' }],
		[/^eventId: .*different values$/, /^$/],
	],
])('an empty Event ID %s', (_, items, expected) => {
	for (const [index, { unreadable }] of readColumns(items).entries()) {
		const texts = unreadable.map(({ field, message }) => `${field}: ${message}`);
		expect(texts.join('\n')).toMatch(expected[index]);
	}
});

describe('why a field is empty', () => {
	const problemsOf = (input: RawTransaction) =>
		validateItems([input], { timeZone: 'UTC' })[0].problems!;
	const explain = (json: Json) => problemsOf(matchColumns(json));

	test('no column matches it: the fix, the same for each, names the columns that match nothing', () => {
		const { amount, currency, ...rest } = rows(1)[0];
		const [first, second, ...others] = explain({ ...rest, Total: '1', ammount: '2' });
		expect([first.field, second.field, others]).toEqual(['amount', 'currency', []]);
		expect(first.fix).toMatch(/match no field: "Total", "ammount"\. .*'Using Fields Below'\.$/);
		expect([second.message, second.fix]).toEqual([first.message, first.fix]);
	});

	test('its column has no value in this item', () => {
		const [problem] = explain({ ...rows(1)[0], amount: ' ' });
		expect(problem.field).toBe('amount');
		expect(problem.message).toContain('empty in this item');
		expect(problem.fix).toMatch(/^Use a decimal/);
	});

	test('other items have the column: n8n leaves an empty cell of a CSV file out', () => {
		const [whole, { amount: _, ...without }] = rows(2);
		const [, second] = readColumns([whole, without]);
		expect(problemsOf(second)).toMatchObject([
			{ field: 'amount', message: 'The column is empty in this item' },
		]);
	});

	test('every column has a field: none can be renamed', () => {
		const { amount, ...rest } = rows(1)[0];
		expect(explain(rest)[0].fix).toMatch(/^Add a column, or set 'Specify/);
	});

	test.each([
		[1, /: "c0"\. /],
		[20, /"c18", "c19"\. /],
		[21, /"c18", "c19" and 1 more\. /],
	])('of %i columns, the first 20 are listed', (count, words) => {
		const json = Object.fromEntries(Array.from({ length: count }, (_, n) => [`c${n}`, n]));
		expect(explain(json)[0].fix).toMatch(words);
	});

	test('its expression returned nothing: the fix says what the item has', () => {
		const input: RawTransaction = {
			values: { amount: undefined, reference: ' ' },
			unreadable: [],
			isEmpty: false,
			columns: ['\u{feff}sum'],
			expressionByField: new Map([
				['amount' as const, '$json.sum'],
				['reference' as const, '$json.sum'],
			]),
		};
		const explained = new Map(problemsOf(input).map((problem) => [problem.field, problem]));
		expect(explained.get('amount')).toMatchObject({
			message: 'The expression gave no value',
			fix: 'Check the name in it. The item has: "[U+FEFF]sum".',
		});
		// Its value is an empty text, so its name is right; and what has no expression.
		for (const field of ['reference', 'currency'] as const)
			expect(explained.get(field)?.message).toBe('The field is empty');
	});

	test.each<[string, Json, boolean]>([
		['a row of separators', { amount: '', Currency: ' ', Note: null, x: undefined }, true],
		['an item without columns', {}, true],
		['a row of a sheet', { row_number: 7, Amount: '', Currency: '' }, true],
		['parties without values', { sender: { countryCode: '' }, recipient: {} }, true],
		['a row with a note only', { amount: '', Note: 'total' }, false],
		['a row with a zero', { amount: '', Total: 0 }, false],
	])('%s: the item is empty, and nothing else is said: %j, %p', (_, json, isEmpty) => {
		const problems = explain(json);
		expect(problems.some(({ field }) => field === undefined)).toBe(isEmpty);
		if (isEmpty) expect(problems).toHaveLength(1);
	});
});
