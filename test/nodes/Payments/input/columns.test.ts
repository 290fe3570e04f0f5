import { resourceMapping } from '../../../../nodes/Payments/editor/resourceMapping';
import { matchColumns } from '../../../../nodes/Payments/input/columns';
import { explainEmptyFields } from '../../../../nodes/Payments/input/emptyFields';
import type { FieldProblem } from '../../../../nodes/Payments/Input';
import { validateItems } from '../../../../nodes/Payments/validation/validateItems';
import { DISPLAY_NAMES, FIELDS, type Field } from '../../../../nodes/Payments/Transaction';
import { rows } from '../../../support/builders/transactions';
import { fc, propertyRuns } from '../../../support/properties';

const RULES = { now: 1_763_700_000_000, timeZone: 'UTC' };

describe('a column matches a field by its name', () => {
	test.each([
		['amount', 'amount'],
		['Amount', 'amount'],
		['AMOUNT ', 'amount'],
		['base_amount', 'baseAmount'],
		['Base-Amount', 'baseAmount'],
		['sender.countryCode', 'sender.countryCode'],
		['Sender.Country_Code', 'sender.countryCode'],
		['senderCountryCode', 'sender.countryCode'],
		['Sender Country', 'sender.countryCode'],
		['sender_country', 'sender.countryCode'],
		['recipient entity id', 'recipient.externalEntityId'],
		['Recipient Channel ID', 'recipient.externalPaymentChannelId'],
		['External\u00a0ID', 'externalId'],
		['Created At', 'externalCreatedAt'],
		['external_created_at', 'externalCreatedAt'],
		['receivedAt', 'receivedAt'],
		['Event ID', 'eventId'],
		['eventID', 'eventId'],
	])('%j: %s', (name, field) => {
		expect(matchColumns({ [name]: 'x', other: 'y' })).toEqual({
			value: { [field]: 'x' },
			columnByField: new Map([[field, name]]),
			matchedColumns: [name, 'other'],
		});
	});

	test.each([
		'id',
		'total',
		'amounts',
		'amount eur',
		'country',
		'sender',
		'',
		'__proto__',
		'toString',
	])('%j matches none', (name) => {
		const json = Object.fromEntries([[name, 'x']]);
		expect(matchColumns(json)).toMatchObject({ value: {}, columnByField: new Map() });
	});

	test('a party can be an object', () => {
		const sender = { externalEntityId: 'a', country_code: 'BE', Note: 'left out' };
		expect(matchColumns({ sender, other: { amount: '1' } })).toEqual({
			value: { 'sender.externalEntityId': 'a', 'sender.countryCode': 'BE' },
			columnByField: new Map([
				['sender.externalEntityId', 'sender.externalEntityId'],
				['sender.countryCode', 'sender.country_code'],
			]),
			matchedColumns: ['sender.externalEntityId', 'sender.country_code', 'sender.Note', 'other'],
		});
	});

	test.each(['BE', 7, null, undefined])('a party that is %j is one column', (sender) => {
		expect(matchColumns({ sender, amount: '1' })).toEqual({
			value: { amount: '1' },
			columnByField: new Map([['amount', 'amount']]),
			matchedColumns: ['sender', 'amount'],
		});
	});

	test('a date stays a date', () => {
		const date = new Date();
		expect(matchColumns({ 'Created At': date }).value).toEqual({ externalCreatedAt: date });
	});

	test.each([
		[{ amount: '1', Amount: '2' }, 'amount', '"amount" and "Amount"'],
		[
			{ 'Sender Country': 'BE', sender: { countryCode: 'BE' } },
			'sender.countryCode',
			'"Sender Country" and "sender.countryCode"',
		],
		[{ reference: '', Reference: 'x' }, 'reference', '"reference" and "Reference"'],
	])('two for one field: %j', (json, field, names) => {
		const { problem } = matchColumns(json);
		expect(problem?.field).toBe(field);
		expect(problem?.message).toContain(names);
		expect(problem?.fix).toContain("'Mapping Column Mode'");
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
				.constantFrom(field, DISPLAY_NAMES[field])
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

	test('no column matches it: the message names the field, and the columns once', () => {
		const { amount, currency, ...rest } = rows(1)[0];
		const [first, second, ...others] = explain({ ...rest, Total: '1' });
		expect([first.field, second.field, others]).toEqual(['amount', 'currency', []]);
		expect(first.fix).toMatch(/"Amount" or "amount".*'Mapping Column Mode'.*"externalId".*"Total"/);
		expect(second.fix).toMatch(/"Currency" or "currency"/);
		expect(second.fix).not.toContain('"Total"');
	});

	test('its column has no value', () => {
		const [problem] = explain({ ...rows(1)[0], amount: ' ' });
		expect(problem).toMatchObject({ field: 'amount', isEmpty: true });
		expect(problem.fix).not.toContain('Mapping Column Mode');
	});

	const EMPTY: FieldProblem = {
		field: 'amount',
		message: 'empty',
		fix: 'Fill it in.',
		isEmpty: true,
	};
	const listed = (matchedColumns: string[]) =>
		explainEmptyFields([EMPTY], { matchedColumns })[0].fix;

	test('an item without columns, and one with many', () => {
		expect(listed([])).toContain('none');
		const many = Array.from({ length: 21 }, (_, index) => `c${index}`);
		expect(listed(many)).toMatch(/"c18", "c19", …\.$/);
		expect(listed(many.slice(1))).toMatch(/"c19", "c20"\.$/);
	});

	test('its expression returned nothing', () => {
		const other: FieldProblem = { ...EMPTY, field: 'reference' };
		const wrong = { ...EMPTY, isEmpty: false };
		const input = { expressionFields: new Set(['amount'] as const) };
		const [explained, ...unchanged] = explainEmptyFields([EMPTY, other, wrong], input);
		expect(explained.message).toContain('expression');
		expect(explained.fix).toMatch(/Fill it in\.$/);
		expect(unchanged).toEqual([other, wrong]);
	});
});

test('the mapper has every field once, amounts as text, and the rarely used ones removed', async () => {
	const { fields } = await resourceMapping.getTransactionFields.call({} as never);
	expect(fields.map(({ id }) => id).sort()).toEqual([...FIELDS].sort());
	expect(fields.map(({ displayName }) => displayName).slice(0, 7)).toEqual([
		'Sender Entity ID',
		'Sender Channel ID',
		'Sender Country',
		'Recipient Entity ID',
		'Recipient Channel ID',
		'Recipient Country',
		'Amount',
	]);
	expect(fields.filter(({ type }) => type === 'dateTime').map(({ id }) => id)).toEqual([
		'externalCreatedAt',
		'receivedAt',
	]);
	expect(fields.filter(({ type }) => type !== 'dateTime' && type !== 'string')).toEqual([]);
	expect(fields.filter(({ removed }) => removed).map(({ id }) => id)).toEqual([
		'baseAmount',
		'eventId',
		'externalStatus',
		'receivedAt',
	]);
	expect(fields.filter(({ required }) => required).map(({ id }) => id)).toEqual([
		'sender.externalEntityId',
		'sender.externalPaymentChannelId',
		'sender.countryCode',
		'recipient.externalEntityId',
		'recipient.externalPaymentChannelId',
		'recipient.countryCode',
		'amount',
		'currency',
		'reference',
		'paymentScheme',
		'externalId',
	]);
});

test.each([
	['amount', { displayName: 'Amount', type: 'string', required: true, removed: false }],
	['receivedAt', { displayName: 'Received At', type: 'dateTime', required: false, removed: true }],
])('the mapper shows %s, and matches no rows by it', async (id, expected) => {
	const { fields } = await resourceMapping.getTransactionFields.call({} as never);
	expect(fields.find((field) => field.id === id)).toEqual({
		id,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		...expected,
	});
});
