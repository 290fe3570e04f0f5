import { matchColumns } from '../../../../nodes/Payments/input/columns';
import { explainEmptyFields, readColumns } from '../../../../nodes/Payments/input/readItems';
import {
	FIELD_TABLE,
	FIELDS,
	parameterOf,
	type Field,
	type FieldProblem,
	type RawTransaction,
} from '../../../../nodes/Payments/Transaction';
import { validateItems } from '../../../../nodes/Payments/validation/validate';
import { quote } from '../../../../nodes/shared/values';
import { rows, SAMPLE, validateItem } from '../../../support/builders/transactions';
import { fc, propertyRuns } from '../../../support/properties';

const RULES = { timeZone: 'UTC' };

describe('a column matches a field by its name', () => {
	test.each([
		['Sender Country', 'sender.countryCode'],
		['senderCountryCode', 'sender.countryCode'],
		['Recipient Payment Channel ID', 'recipient.externalPaymentChannelId'],
		['External\u00a0ID', 'externalId'],
		['\ufeffAmount', 'amount'],
		['sender_payment_channel_id', 'sender.externalPaymentChannelId'],
		['sender.externalPaymentChannelId', 'sender.externalPaymentChannelId'],
		['senderExternalPaymentChannelId', 'sender.externalPaymentChannelId'],
		['created_at', 'externalCreatedAt'],
		['externalCreatedAt', 'externalCreatedAt'],
	])('%j: %s', (name, field) => {
		expect(matchColumns({ [name]: 'x', other: 'y' })).toEqual({
			values: { [field]: 'x' },
			unreadable: [],
			columnByField: new Map([[field, name]]),
			columns: [name, 'other'],
		});
	});

	test.each([
		'id',
		'country',
		'sender',
		'Total Amount',
		'Our Event ID',
		'Sender Channel ID',
		'',
		'__proto__',
		'toString',
	])('%j matches none, and is left out', (name) => {
		const json = Object.fromEntries([[name, 'x']]);
		expect(matchColumns(json)).toMatchObject({
			values: {},
			unreadable: [],
			columnByField: new Map(),
		});
	});

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
				.constantFrom(field, FIELD_TABLE[field].displayName, parameterOf(field).split('.').at(-1)!)
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

describe('a column whose name goes on behind that of a field', () => {
	/** The sample without a field. */
	const without = (field: Field): Record<string, unknown> => {
		const input = structuredClone(SAMPLE) as unknown as Record<string, Record<string, unknown>>;
		const [name, nameInParty] = field.split('.');
		if (nameInParty === undefined) delete input[name];
		else delete input[name][nameInParty];
		return input;
	};
	const problemsOf = (json: Record<string, unknown>) => validateItem(json, RULES).problems ?? [];

	test.each<[Field, string]>([
		['amount', 'Amount (cents)'],
		['amount', 'Amount (in thousands)'],
		['amount', 'amount_eur'],
		['amount', 'AmountCents'],
		['amount', 'Amount €'],
		['amount', 'amounts'],
		['baseAmount', 'Base Amount (USD)'],
		['baseAmount', 'Base\u200b Amount'],
		['baseAmount', '"Base Amount"'],
		['externalCreatedAt', 'Created at (UTC)'],
		['externalCreatedAt', 'externalCreatedAt[ms]'],
		['externalStatus', 'External Status (ours)'],
		['eventId', 'Event ID old'],
		['eventId', 'EVENTID2'],
		['receivedAt', 'Received At, bank'],
		['sender.countryCode', 'Sender Country Name'],
		['currency', 'Currency symbol'],
	])('%s: %j is named, and nothing is read from it', (field, name) => {
		const [problem, ...others] = problemsOf({ ...without(field), [name]: 1 });
		expect(others).toEqual([]);
		expect(problem.field).toBe(field);
		expect(problem.message).toContain(quote(name));
		expect(problem.fix).toMatch(
			new RegExp(`"${FIELD_TABLE[field].displayName}" .*same unit.*another word`),
		);
		expect(matchColumns({ [name]: 1 }).values).toEqual({});
	});

	test('is left out if the field has a column of its own', () => {
		const json = { ...SAMPLE, 'Currency symbol': '$', 'Amount (cents)': 1, 'Event ID old': 'e' };
		expect(validateItem(json, RULES).transaction).toEqual(SAMPLE);
	});

	test('is found in a party, too', () => {
		const { countryCode, ...rest } = SAMPLE.sender;
		const sender = { ...rest, 'countryCode (ISO)': countryCode };
		const [problem] = problemsOf({ ...SAMPLE, sender });
		expect(problem.message).toContain('"sender.countryCode (ISO)"');
	});

	test('several are named together', () => {
		const many = { 'Event ID 1': 1, 'Event ID 2': 2, 'Event ID 3': 3, 'Event ID 4': 4 };
		const [{ message }, ...others] = problemsOf({ ...without('eventId'), ...many });
		expect(message).toContain('"Event ID 1", "Event ID 2", "Event ID 3", …');
		expect(others).toEqual([]);
	});

	/** Without what doesn't count. */
	const lettersOf = (name: string) => name.toLowerCase().replace(/[ ._-]/g, '');
	const UNITS = ['cents', 'EUR', 'k€', 'UTC', 'ms', 'ISO', '%', 'in thousands', '2'];
	const REMARKS = ['ours', 'old', 'see notes', 'bank', 'v2', 'do not use', '*', '\u200b', '…'];
	const SEPARATORS = ['', ' ', '_', '-', '.', ' (', '/', ': ', ' [', ', '];
	const part = fc.constantFrom(...UNITS, ...REMARKS, '', '(', ')', ' ', '.');
	const heading = fc.constantFrom<Field>(...FIELDS).chain((field) =>
		fc
			.tuple(
				fc.constantFrom(
					field,
					FIELD_TABLE[field].displayName,
					parameterOf(field).split('.').at(-1)!,
				),
				fc.boolean(),
				fc.array(fc.tuple(fc.constantFrom(...SEPARATORS), part), { maxLength: 3 }),
			)
			.map(([name, isUpper, parts]) => ({
				field,
				name: (isUpper ? name.toUpperCase() : name) + parts.flat().join(''),
			})),
	);

	test('a heading of names, units, and remarks matches exactly, or is refused', () => {
		const values = fc.oneof(fc.constant('7'), fc.constant(7), fc.constant(''), fc.string());
		let exact = 0;
		let refused = 0;
		fc.assert(
			fc.property(heading, values, ({ field, name }, value) => {
				const own = matchColumns({ [name]: value });
				if (own.columnByField!.has(field)) {
					exact++;
					const names = [
						field,
						FIELD_TABLE[field].displayName,
						parameterOf(field).split('.').at(-1)!,
					];
					expect(names.map(lettersOf)).toContain(lettersOf(name));
					expect(own).toMatchObject({ values: { [field]: value }, unreadable: [] });
					return;
				}
				refused++;
				// Optional or not, with this column alone the item isn't sent.
				const problems = problemsOf({ ...without(field), [name]: value });
				expect(problems.find((one) => one.field === field)?.message).toContain(quote(name));
				// Beside a column of its own, it changes nothing.
				expect(validateItem({ ...SAMPLE, [name]: value }, RULES).transaction).toEqual(SAMPLE);
			}),
			{ numRuns: propertyRuns(400, 400) },
		);
		expect(exact).toBeGreaterThan(0);
		expect(refused).toBeGreaterThan(0);
	});

	test.each([
		['parentheses', '('.repeat(40_000)],
		['pairs of them', '()'.repeat(40_000)],
		['blanks', ' '.repeat(200_000)],
		['a name that goes on', `Amount${' ('.repeat(100_000)}`],
	])('is found in linear time: %s', (_, name) => {
		const start = performance.now();
		matchColumns({ [name]: 1 });
		expect(performance.now() - start).toBeLessThan(1000);
	});

	test('as many columns as one likes are matched in linear time', () => {
		const json = Object.fromEntries(
			Array.from({ length: 100_000 }, (_, index) => [`Amount ${index}`, index]),
		);
		const start = performance.now();
		expect(matchColumns(json).unreadable).toHaveLength(1);
		expect(performance.now() - start).toBeLessThan(5000);
	});
});

describe('an empty Event ID', () => {
	const problemsOf = (...eventIds: unknown[]) =>
		readColumns(eventIds.map((eventId) => ({ ...SAMPLE, eventId }))).map(({ unreadable }) =>
			unreadable.map(({ field, message }) => `${field}: ${message}`),
		);
	const EMPTY = ['eventId: The field is empty in this item'];

	test.each<[string, unknown[], string[][]]>([
		['is not set, if no item has one', ['', ' ', null, undefined], [[], [], [], []]],
		['is invalid, if another item has one', ['', 'e1', '\t'], [EMPTY, [], EMPTY]],
		['is invalid beside a number', [7, null], [[], EMPTY]],
	])('%s', (_, eventIds, expected) => expect(problemsOf(...eventIds)).toEqual(expected));

	test('is invalid where the column is missing, if another item has one', () => {
		const { eventId, ...rest } = SAMPLE;
		const [first, second] = readColumns([{ ...rest }, { ...rest, event_id: eventId }]);
		expect(first.unreadable).toMatchObject([{ field: 'eventId' }]);
		expect(first.unreadable[0].fix).toMatch(/Other items have one.*fill it in.*on their own/);
		expect(second.unreadable).toEqual([]);
	});

	test('has one reason only, if its columns have two', () => {
		const [first] = readColumns([{ eventId: '', 'Event ID': 'e1' }, { ...SAMPLE }]);
		expect(first.unreadable).toHaveLength(1);
		expect(first.unreadable[0].message).toContain('different values');
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
