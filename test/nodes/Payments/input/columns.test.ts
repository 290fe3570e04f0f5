import { matchColumns } from '../../../../nodes/Payments/input/columns';
import { explainEmptyFields } from '../../../../nodes/Payments/input/readItems';
import {
	DISPLAY_NAMES,
	FIELDS,
	type Field,
	type FieldProblem,
	type RawTransaction,
} from '../../../../nodes/Payments/Transaction';
import { validateItems } from '../../../../nodes/Payments/validation/validateItems';
import { rows } from '../../../support/builders/transactions';
import { fc, propertyRuns } from '../../../support/properties';

const RULES = { now: 1_763_700_000_000, timeZone: 'UTC' };

describe('a column matches a field by its name', () => {
	test.each([
		['Sender Country', 'sender.countryCode'],
		['senderCountryCode', 'sender.countryCode'],
		['Recipient Channel ID', 'recipient.externalPaymentChannelId'],
		['External\u00a0ID', 'externalId'],
		['sender_payment_channel_id', 'sender.externalPaymentChannelId'],
	])('%j: %s', (name, field) => {
		expect(matchColumns({ [name]: 'x', other: 'y' })).toEqual({
			values: { [field]: 'x' },
			unreadable: [],
			columnByField: new Map([[field, name]]),
			columns: [name, 'other'],
		});
	});

	test.each(['id', 'amounts', 'country', 'sender', '', '__proto__', 'toString'])(
		'%j matches none',
		(name) => {
			const json = Object.fromEntries([[name, 'x']]);
			expect(matchColumns(json)).toMatchObject({ values: {}, columnByField: new Map() });
		},
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
			columns: ['sender.externalEntityId', 'sender.country_code', 'sender.Note', 'other'],
		});
	});

	test.each(['BE', 7, null, undefined])('a party that is %j is one column', (sender) => {
		expect(matchColumns({ sender, amount: '1' })).toEqual({
			values: { amount: '1' },
			unreadable: [],
			columnByField: new Map([['amount', 'amount']]),
			columns: ['sender', 'amount'],
		});
	});

	test.each([
		[{ amount: 1, Amount: '1' }, 'amount', '"amount" and "Amount"'],
		[
			{ 'Sender Country': 'DE', sender: { countryCode: 'BE' } },
			'sender.countryCode',
			'"Sender Country" and "sender.countryCode"',
		],
		[{ reference: '', Reference: 'x' }, 'reference', '"reference" and "Reference"'],
	])('two for one field, with different values: %j', (json, field, names) => {
		const { unreadable } = matchColumns(json);
		expect(unreadable).toEqual([
			{
				field,
				message: expect.stringContaining(names) as string,
				fix: expect.stringContaining('Rename') as string,
			},
		]);
	});

	test('two for one field with the same value are one', () => {
		const json = { 'Sender Country': 'BE', sender: { countryCode: 'BE' } };
		expect(matchColumns(json)).toMatchObject({
			values: { 'sender.countryCode': 'BE' },
			unreadable: [],
		});
	});

	test('every name of every field matches this field only', () => {
		const anyCase = (name: string) =>
			fc
				.array(fc.tuple(fc.boolean(), fc.constantFrom('', '', ' ', '_', '-')), {
					minLength: name.length,
					maxLength: name.length,
				})
				.map((changes) =>
					changes
						.map(
							([upper, blank], index) => (upper ? name[index].toUpperCase() : name[index]) + blank,
						)
						.join(''),
				);
		const column = fc.constantFrom<Field>(...FIELDS).chain((field) =>
			fc
				.constantFrom(field, DISPLAY_NAMES[field], field.replace('.external', '_'))
				.chain(anyCase)
				.map((name) => ({ field, name })),
		);
		fc.assert(
			fc.property(column, fc.anything(), ({ field, name }, value) => {
				expect([...(matchColumns({ [name]: value }).columnByField ?? [])]).toEqual([[field, name]]);
			}),
			{ numRuns: propertyRuns(2000) },
		);
	});
});

describe('why a field is empty', () => {
	const explain = (json: Record<string, unknown>) => {
		const input = matchColumns(json);
		return explainEmptyFields(validateItems([input], RULES)[0].problems!, input);
	};

	test('no column matches it: the fix names the field, and once the columns that match nothing', () => {
		const { amount, currency, ...rest } = rows(1)[0];
		const [first, second, ...others] = explain({ ...rest, Total: '1', ammount: '2' });
		expect([first.field, second.field, others]).toEqual(['amount', 'currency', []]);
		expect(first.fix).toMatch(
			/"Amount" or "amount".* match no field: "Total", "ammount"\. .*'Using Fields Below'\.$/,
		);
		expect(second.fix).toMatch(/"Currency" or "currency"/);
		expect(second.fix).not.toContain('"Total"');
	});

	test('its column has no value in this item', () => {
		const [problem] = explain({ ...rows(1)[0], amount: ' ' });
		expect(problem).toMatchObject({ field: 'amount', isEmpty: true });
		expect(problem.message).toContain('empty in this item');
		expect(problem.fix).not.toContain('Name a column');
	});

	const EMPTY: FieldProblem = {
		field: 'amount',
		message: 'empty',
		fix: 'Fill it in.',
		isEmpty: true,
	};
	const INPUT: RawTransaction = { values: {}, unreadable: [], columns: [] };
	const listed = (columns: string[]) =>
		explainEmptyFields([EMPTY], { ...INPUT, columns, columnByField: new Map() })[0].fix;

	test('an item without columns, and one with many', () => {
		expect(listed([])).toContain('none');
		const many = Array.from({ length: 21 }, (_, index) => `c${index}`);
		expect(listed(many)).toMatch(/"c18", "c19", …\. /);
		expect(listed(many.slice(1))).toMatch(/"c19", "c20"\. /);
	});

	test('its expression returned nothing: the fix says what the item has', () => {
		const other: FieldProblem = { ...EMPTY, field: 'reference' };
		const wrong = { ...EMPTY, isEmpty: false };
		const input = {
			...INPUT,
			columns: ['\u{feff}sum'],
			expressionFields: new Set(['amount'] as const),
		};
		const [explained, ...unchanged] = explainEmptyFields([EMPTY, other, wrong], input);
		expect(explained.message).toContain('expression');
		expect(explained.fix).toMatch(/Fill it in\. The item has: "\[U\+FEFF\]sum"\.$/);
		expect(unchanged).toEqual([other, wrong]);
		expect(explainEmptyFields([EMPTY], { ...input, values: { amount: ' ' } })).toEqual([EMPTY]);
	});
});
