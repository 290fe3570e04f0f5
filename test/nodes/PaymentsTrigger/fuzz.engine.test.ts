import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { recommendedEventTypes } from '../../../nodes/PaymentsTrigger/eventTypes';
import { PaymentsTrigger } from '../../../nodes/PaymentsTrigger/PaymentsTrigger.node';
import { signed } from '../../support/signed';
import { fc, propertyRuns, leastOf } from '../../support/properties';
import { setUp } from '../../support/engine/triggerServer';

/*
 * The whole trigger in n8n's real context and with its real credential, without the network in
 * between: fast enough for more than 100,000 deliveries in .ci/run. Every fault found prints the
 * seed that repeats it.
 */

interface Result {
	status: number;
	runs: number;
}

const trigger = new PaymentsTrigger();
let take: (headers: Record<string, string>, rawBody: Buffer) => Promise<Result>;

beforeAll(async () => {
	const { contextFor } = await setUp({ parameters: { options: { deduplicate: 0 } } });
	// n8n's function reads nothing when the bytes are there.
	const readRawBody = async () => await Promise.resolve();
	take = async (headers, rawBody) => {
		let status = 0;
		const response = {
			json: () => undefined,
			status(code: number) {
				status = code;
				return { set: () => ({ json: () => undefined }) };
			},
		};
		const context = contextFor(
			{ headers, rawBody, readRawBody, params: {}, query: {} } as unknown as IncomingMessage,
			response as unknown as ServerResponse,
		);
		const { workflowData, noWebhookResponse } = await trigger.webhook.call(context);
		// Exactly one of the two: a run, which n8n answers with 200, or an answer; neither would leave
		// the sender hanging.
		if ((workflowData !== undefined) === (noWebhookResponse === true && status > 0))
			throw new Error('neither a run nor an answer, or both');
		return workflowData ? { status: 200, runs: 1 } : { status, runs: 0 };
	};
});

const event = fc.record(
	{
		id: fc.string(),
		event: fc.oneof(fc.constantFrom(...recommendedEventTypes, 'PAYEE.CREATED', '*'), fc.string()),
	},
	{ requiredKeys: [] },
);
const text = fc.oneof(
	{
		weight: 3,
		arbitrary: fc
			.oneof(event, fc.array(event, { maxLength: 3 }))
			.map((value) => JSON.stringify(value)),
	},
	{ weight: 1, arbitrary: fc.json({ maxDepth: 2 }) },
	{ weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);
const body = fc.oneof(
	{ weight: 5, arbitrary: text.map((value) => Buffer.from(value)) },
	{ weight: 1, arbitrary: text.map((value) => Buffer.from(`\ufeff${value}`)) },
	{ weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
);

const hex = fc.string({
	unit: fc.constantFrom(...'0123456789abcdefABCDEF'),
	minLength: 62,
	maxLength: 66,
});
const label = fc.constantFrom('fr1', 'fr2', '__proto__', 'sig', '*', '');
const created = fc.oneof(
	fc.integer({ min: -1, max: 2e9 }).map(String),
	fc.constant(String(Math.floor(Date.now() / 1000))),
	fc.string({ maxLength: 8 }),
);
const noise = fc.string({
	unit: fc.constantFrom(...'fr1=("digest");creatd:,. \t\\0'),
	maxLength: 60,
});
const input = fc.oneof(
	fc
		.tuple(label, fc.constantFrom('"digest"', '', '"date"'), created)
		.map(([name, what, when]) => `${name}=(${what});created=${when}`),
	noise,
);
const signature = fc.oneof(
	fc.tuple(label, hex).map(([name, value]) => `${name}=:${value}:`),
	noise,
);
const joined = (one: fc.Arbitrary<string>) =>
	fc.array(one, { minLength: 1, maxLength: 3 }).map((all) => all.join(', '));
const headers = fc.record(
	{
		digest: fc.oneof(fc.constant('right'), noise),
		'signature-input': joined(input),
		signature: joined(signature),
	},
	{ requiredKeys: [] },
);

/**
 * Whether the body holds an event that the trigger listens to, found out in another way than the
 * trigger does.
 */
function expected(bytes: Buffer): Result {
	const decoded = bytes.toString('utf8');
	if (!Buffer.from(decoded).equals(bytes)) return { status: 400, runs: 0 };
	let parsed: unknown;
	try {
		parsed = JSON.parse(decoded.replace(/^\ufeff/, ''));
	} catch {
		return { status: 400, runs: 0 };
	}
	const found = ([] as unknown[])
		.concat(parsed)
		.map((one) => (one as { event?: unknown } | null)?.event);
	const valid =
		found.length > 0 && found.every((kind) => typeof kind === 'string' && kind.length > 0);
	const runs =
		valid && found.some((kind) => recommendedEventTypes.includes(kind as string)) ? 1 : 0;
	return { status: valid ? 200 : 400, runs };
}

/** jest's own comparison takes longer than a delivery does. */
const hold = (got: Result, { status, runs }: Result) => {
	if (got.status !== status || got.runs !== runs)
		throw new Error(
			`answered ${got.status} with ${got.runs} runs instead of ${status} with ${runs}`,
		);
};
const REJECTED = { status: 401, runs: 0 };

/**
 * Ten of each are made at a time, and each is tried with each: making them takes longer than
 * delivering them.
 */
const ten = <T>(one: fc.Arbitrary<T>) =>
	fc.array(one, { minLength: 10, maxLength: 10, size: 'max' });
const HUNDREDS = 100;
const TENS = 10;

test('up to 60,000 deliveries with invented signatures: every one is rejected', async () => {
	const property = fc.asyncProperty(ten(headers), ten(body), async (invented, bodies) => {
		for (const bytes of bodies) {
			const right = createHash('sha1').update(bytes).digest('hex');
			for (const { digest, ...rest } of invented) {
				hold(
					await take(
						{
							...rest,
							...(digest === undefined ? {} : { digest: digest === 'right' ? right : digest }),
						},
						bytes,
					),
					REJECTED,
				);
			}
		}
	});
	await fc.assert(property, { numRuns: Math.ceil(propertyRuns(60_000) / HUNDREDS) });
});

type Change = (
	at: number,
	of: Record<string, string>,
	bytes: Buffer,
) => [Record<string, string>, Buffer];
const changes: Change[] = [
	function oneBit(at, of, bytes) {
		const changed = Buffer.from(bytes);
		changed[at % changed.length] ^= 1 << (at % 8);
		return [of, changed];
	},
	function oneByteMore(at, of, bytes) {
		return [
			of,
			Buffer.concat([
				bytes.subarray(0, at % bytes.length),
				Buffer.from([at % 256]),
				bytes.subarray(at % bytes.length),
			]),
		];
	},
	function oneByteLess(at, of, bytes) {
		return [
			of,
			Buffer.concat([
				bytes.subarray(0, at % bytes.length),
				bytes.subarray((at % bytes.length) + 1),
			]),
		];
	},
	function oneDigitOfTheSignature(at, of, bytes) {
		const place = 'fr1=:'.length + (at % 64);
		const digit = ((parseInt(of.signature[place], 16) + 1 + (at % 15)) % 16).toString(16);
		return [
			{ ...of, signature: of.signature.slice(0, place) + digit + of.signature.slice(place + 1) },
			bytes,
		];
	},
	function theTime(at, of, bytes) {
		return [
			{
				...of,
				'signature-input': of['signature-input'].replace(/\d+$/, (was) =>
					String(Number(was) - 1 - (at % 7000)),
				),
			},
			bytes,
		];
	},
];

test('up to 20,000 deliveries that were right until something was changed on the way: every one is rejected', async () => {
	const notEmpty = body.filter(({ length }) => length > 0);
	const property = fc.asyncProperty(ten(notEmpty), ten(fc.nat()), async (bodies, places) => {
		for (const bytes of bodies) {
			for (const at of places) {
				const [changedHeaders, changedBody] = changes[at % changes.length](
					at >> 3,
					signed(bytes),
					bytes,
				);
				hold(await take(changedHeaders, changedBody), REJECTED);
			}
		}
	});
	await fc.assert(property, { numRuns: Math.ceil(propertyRuns(20_000) / HUNDREDS) });
});

test('up to 20,000 rightly signed bodies of any type: each is answered as it deserves, and only events that are listened to run', async () => {
	const numRuns = Math.ceil(propertyRuns(20_000) / TENS);
	let ran = 0;
	const property = fc.asyncProperty(ten(body), async (bodies) => {
		for (const bytes of bodies) {
			const got = await take(signed(bytes), bytes);
			hold(got, expected(bytes));
			ran += got.runs;
		}
	});
	await fc.assert(property, { numRuns });
	// Both sides of the rule were really met.
	expect(ran).toBeGreaterThanOrEqual(leastOf(0.05, numRuns * TENS));
	expect(ran).toBeLessThan(9.5 * numRuns);
});
