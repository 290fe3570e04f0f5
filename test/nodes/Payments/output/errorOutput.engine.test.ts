import type { IDataObject } from 'n8n-workflow';

import { FIELD_TABLE, parameterOf, type Field } from '../../../../nodes/Payments/Transaction';
import { useBench, type PaymentsBench } from '../../../support/engine/payments';
import { fc, propertyRuns } from '../../../support/properties';
import { startFakeService, type FakeService } from '../../../support/servers/fakeService';

/* What leaves the error output can be sent again by the same node: the same transaction. */

/** What somebody wants to send, as the fields of a transaction have it. */
type Wanted = Record<Field, string>;

const BASE: Partial<Wanted> = {
	currency: 'EUR',
	'recipient.externalEntityId': 'harbour-bakery',
	'recipient.externalPaymentChannelId': 'harbour-bakery-eur',
	'recipient.countryCode': 'DK',
	'sender.externalEntityId': 'north-windmills',
	'sender.externalPaymentChannelId': 'north-windmills-eur',
	'sender.countryCode': 'BE',
	externalCreatedAt: '2026-11-02',
	paymentScheme: 'SCT',
};

/** How an item has a transaction, and how the node reads it from there. */
interface Form {
	parameters: IDataObject;
	/** @param isRight otherwise, with an amount and a currency that are invalid */
	itemOf: (wanted: Wanted, isRight: boolean) => IDataObject;
}

const WRONG = { amount: 'much', currency: 'EURO' };

/** The columns of a row, by names that match. */
const columns = (nameOf: (field: Field) => string, isComma: boolean): Form => ({
	parameters: {
		specifyTransaction: 'item',
		options: isComma ? { decimalSeparator: 'comma' } : {},
	},
	itemOf(wanted, isRight) {
		const { amount } = wanted;
		const written = { ...wanted, amount: isComma ? amount.replace('.', ',') : amount };
		const values: Partial<Wanted> = isRight ? written : { ...written, ...WRONG };
		const item: IDataObject = { note: 'mine', row_number: 7 };
		for (const [field, value] of Object.entries(values) as Array<[Field, string]>) {
			const [party, member] = nameOf(field).split('/');
			if (member === undefined) item[party] = value;
			else item[party] = { ...(item[party] as IDataObject), [member]: value };
		}
		return item;
	},
});

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const NAMES: Record<string, (field: Field) => string> = {
	wire: (field) => field,
	editor: (field) => FIELD_TABLE[field].displayName,
	parameter: (field) => parameterOf(field),
	snake: (field) => snake(field).replace('.', '_'),
	capitals: (field) => FIELD_TABLE[field].displayName.toUpperCase(),
	objects: (field) => field.replace('.', '/'),
	'objects in snake case': (field) => snake(field).replace('.', '/'),
	'objects with capitals': (field) => (field[0].toUpperCase() + field.slice(1)).replace('.', '/'),
};

const expression = (code: string) => `={{ ${code} }}`;
const constants = Object.fromEntries(
	Object.entries(BASE).map(([field, value]) => [parameterOf(field as Field), value]),
);
const fields = (
	parameters: IDataObject,
	itemOf: (wanted: Wanted, wrong: Partial<typeof WRONG>) => IDataObject,
): Form => ({
	parameters: { specifyTransaction: 'fields', ...constants, ...parameters },
	itemOf: (wanted, isRight) => itemOf(wanted, isRight ? {} : WRONG),
});

const cents = (amount: string) => Math.round(Number(amount) * 100);
const FORMS: Record<string, Form> = {
	...Object.fromEntries(
		Object.entries(NAMES).flatMap(([name, nameOf]) => [
			[name, columns(nameOf, false)],
			[`${name}, decimal comma`, columns(nameOf, true)],
		]),
	),
	'names of its own': fields(
		{
			amount: expression('$json.total'),
			currency: expression('$json.cur'),
			externalId: '=INV-{{ $json.no }}',
			reference: expression('$json.text'),
		},
		({ amount, currency, externalId, reference }, wrong) => ({
			total: wrong.amount ?? amount,
			cur: wrong.currency ?? currency,
			no: externalId,
			text: reference,
		}),
	),
	'names of the output': fields(
		{
			amount: expression('$json.amount / 100'),
			currency: expression('$json.currency.toUpperCase()'),
			externalId: '=INV-{{ $json.externalId }}',
			recipientExternalEntityId: expression('$json.recipient.id'),
			recipientExternalPaymentChannelId: expression("$json['recipient'].account"),
			reference: expression('$json["message"]'),
			additionalFields: { externalStatus: expression('$json.outcome') },
		},
		({ amount, currency, externalId, reference }, wrong) => ({
			amount: wrong.amount ?? cents(amount),
			currency: (wrong.currency ?? currency).toLowerCase(),
			externalId: Number(externalId),
			recipient: { id: 'x', account: 'y' },
			message: reference,
			outcome: 'booked',
			fix: 'mine',
		}),
	),
	"what support asks for, in the customer's data": fields(
		{
			amount: expression('$json.response.amount'),
			currency: expression('$json.response.currency'),
			externalId: '={{ $json?.requestId }}-{{ $json.attempts }}',
			reference: expression('$input.item.json.fix'),
			additionalFields: { eventId: expression('`E${$json.statusCode}-${$json.idempotencyKey}`') },
		},
		({ amount, currency, externalId, reference }, wrong) => ({
			response: { amount: wrong.amount ?? amount, currency: wrong.currency ?? currency },
			requestId: externalId,
			attempts: 3,
			fix: reference,
			statusCode: 1,
			idempotencyKey: externalId,
		}),
	),
	'names that may be there': fields(
		{
			amount: expression('$json.amount ?? $json.total'),
			currency: expression('$json.currency || $json.cur'),
			externalId: expression('$json.externalId ? "other" : $json.no'),
			reference: expression('$json.message ?? $json.text'),
			recipientExternalEntityId: expression('$json.recipientPaymentChannelId ?? "r"'),
		},
		({ amount, currency, externalId, reference }, wrong) => ({
			total: wrong.amount ?? amount,
			cur: wrong.currency ?? currency,
			no: externalId,
			text: reference,
		}),
	),
};

let bench: PaymentsBench;
useBench((one) => (bench = one));

let service: FakeService;
/** By the External ID that was sent. */
let statuses = new Map<string, number>();
let sent: IDataObject[] = [];
beforeAll(async () => {
	service = await startFakeService(({ body }, response) => {
		const transaction = JSON.parse(body) as IDataObject;
		sent.push(transaction);
		const status = statuses.get(transaction.externalId as string) ?? 202;
		const headers = {
			'retry-after': '1',
			'x-request-id': 'r1',
			'content-type': 'application/json',
		};
		response.writeHead(status, headers).end(status < 300 ? '' : '{"errorCode":"E1"}');
	});
});
afterAll(async () => await service.stop());
beforeEach(async () => await bench.seed({ authUrl: service.url, baseUrl: service.url }));

/** Runs the node, and returns what was sent and what left by the error output. */
async function send(items: IDataObject[], { options, ...parameters }: IDataObject) {
	sent = [];
	const { outputs, error } = await bench.run(
		structuredClone(items),
		{ ...parameters, options: { ...(options as IDataObject), maxRetryTime: 0 } },
		{ onError: 'continueErrorOutput' },
	);
	expect(error).toBeUndefined();
	const failed = outputs[1].map(({ json }) => JSON.parse(JSON.stringify(json)) as IDataObject);
	return { sent, failed };
}

const byExternalId = (transactions: IDataObject[]) =>
	[...transactions].sort((one, other) =>
		(one.externalId as string).localeCompare(other.externalId as string),
	);

/** What becomes of an item: invalid, or what the service answers one after the other. */
const fates = fc.oneof(
	fc.constant('invalid' as const),
	fc.array(fc.constantFrom(422, 500, 409, 429, 403), { minLength: 1, maxLength: 2 }),
);

test('what leaves the error output is the same transaction when it is sent again, as it is or corrected', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(...Object.keys(FORMS)),
			fc.array(fc.tuple(fates, fc.integer({ min: 1, max: 99_999 })), {
				minLength: 1,
				maxLength: 4,
			}),
			async (name, plan) => {
				const { parameters, itemOf } = FORMS[name];
				const wanted = plan.map(
					([, amount], index): Wanted =>
						({
							...BASE,
							amount: (amount / 100).toFixed(2),
							externalId: `${4000 + index}`,
							reference: `Invoice ${index}`,
						}) as Wanted,
				);
				statuses = new Map();
				// The same rows from their source tomorrow.
				const right = wanted.map((one) => itemOf(one, true));
				const expected = await send(right, parameters);
				expect(expected.sent).toHaveLength(plan.length);
				const ids = expected.sent.map(({ reference, externalId }) => [reference, externalId]);
				const idOf = new Map(ids as Array<[string, string]>);

				const items = plan.map(([fate], index) => itemOf(wanted[index], fate !== 'invalid'));
				let left = { sent: [] as IDataObject[], failed: items };
				const rounds = Math.max(...plan.map(([fate]) => (fate === 'invalid' ? 1 : fate.length)));
				for (let round = 0; round < rounds; round++) {
					for (const [index, [fate]] of plan.entries()) {
						const status = fate === 'invalid' ? 202 : (fate[round] ?? fate.at(-1)!);
						statuses.set(idOf.get(`Invoice ${index}`)!, status);
					}
					left = await send(left.failed, parameters);
					expect(left.failed).toHaveLength(plan.length);
				}
				// What the message says to correct, somebody corrects where it stands.
				for (const [index, [fate]] of plan.entries()) {
					if (fate !== 'invalid') continue;
					const item = left.failed[index];
					const says = JSON.stringify([item.message, item.fix]);
					for (const field of ['Amount', 'Currency']) expect(says).toContain(field);
					for (const [key, value] of Object.entries(itemOf(wanted[index], false)))
						if (JSON.stringify(value) !== JSON.stringify(right[index][key]))
							item[key] = right[index][key];
				}
				statuses = new Map();
				const again = await send(left.failed, parameters);
				expect(again.failed).toEqual([]);
				expect(byExternalId(again.sent)).toEqual(byExternalId(expected.sent));
			},
		),
		{ numRuns: propertyRuns(10_000, 60) },
	);
});

test('a second run leaves nothing of the first one in an item', async () => {
	const { parameters, itemOf } = FORMS.wire;
	const wanted = { ...BASE, amount: '1.50', externalId: '4000', reference: 'x' } as Wanted;
	statuses = new Map([['4000', 422]]);
	const [first] = (await send([itemOf(wanted, true)], parameters)).failed;
	expect(first).toMatchObject({
		outcome: 'rejected',
		statusCode: 422,
		requestId: 'r1',
		attempts: 1,
	});
	expect(first.sentEventId).toEqual(sent[0].eventId);
	const [second] = (await send([{ ...first, amount: 'much' }], parameters)).failed;
	expect(second.outcome).toBe('invalid');
	expect(Object.keys(second)).not.toEqual(
		expect.arrayContaining([
			expect.stringMatching(/^(?:statusCode|requestId|attempts|sentEventId|response)$/),
		]),
	);
});

test('of several items, the message names the item unless its externalId is what was sent', async () => {
	const leftBy = async (form: string, externalIds: string[]) => {
		const { parameters, itemOf } = FORMS[form];
		const items = externalIds.map((externalId) =>
			itemOf({ ...BASE, amount: '1.50', externalId, reference: 'x' } as Wanted, true),
		);
		statuses = new Map([['INV-4001', 422]]);
		return (await send(items, parameters)).failed[0];
	};
	const named = await leftBy('names of its own', ['4000', '4001']);
	expect([named.no, named.externalId]).toEqual(['4001', undefined]);
	expect(named.message).toMatch(/^External ID "INV-4001": /);
	// Here, the input keeps `message`.
	const calculated = await leftBy('names of the output', ['4000', '4001']);
	expect(calculated.externalId).toBe(4001);
	expect(calculated.fix).toMatch(/^External ID "INV-4001": /);
});
