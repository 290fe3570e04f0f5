import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { rows } from '../../../support/builders/transactions';
import { useBench, type PaymentsBench } from '../../../support/engine/payments';
import { fc, propertyRuns, RUNS_OVER_HTTP } from '../../../support/properties';

/*
 * Whatever bytes come back, each item has an outcome, and none that its response doesn't allow.
 * fast-check makes the bytes, not an HTTP server, which would correct them.
 */

const ITEMS = 8;

let bench: PaymentsBench;
useBench((one) => (bench = one));

/** How the service responds to one request. */
interface Raw {
	/** Interim responses (1xx) before it. */
	interim: string;
	statusLine: string;
	headers: string[];
	body: Buffer;
	/** The share of the bytes that is sent before the connection ends. */
	share: number;
	/** Whether the connection ends with a reset. */
	isReset: boolean;
}

const json = fc.oneof(
	fc.jsonValue().map((value) => JSON.stringify(value)),
	fc.constantFrom(
		'{}',
		'null',
		'[]',
		'"OK"',
		'{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
		'{"eventId":{"toString":null},"status":{"valueOf":1}}',
		'{"error":"x","error":null}',
		'['.repeat(20_000),
		`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
		'{"amount":1e999,"id":-0}',
		'{"status":"COMPLETED"',
		'\u{feff}{}',
	),
);
const bytes = fc.oneof(
	json.map((text) => Buffer.from(text)),
	fc.uint8Array({ maxLength: 2000 }).map((array) => Buffer.from(array)),
	fc.constant(Buffer.alloc(0)),
	fc.constant(Buffer.alloc(2_000_000, ' ')),
);
/** As is, and compressed once: at its best, Brotli takes a second for each. */
const large = Buffer.alloc(20_000_000, 'a');
const encodings = (
	[
		['gzip', gzipSync],
		['deflate', deflateSync],
		['br', brotliCompressSync],
	] as const
).map(([name, encode]) => ({ name, encode, large: encode(large) }));
const encoded = fc.oneof(
	bytes.map((body) => ({ body, encoding: [] as string[] })),
	fc
		.tuple(
			fc.oneof(bytes, fc.constant(large)),
			fc.constantFrom(...encodings),
			fc.constantFrom('as named', 'not encoded', 'unknown'),
		)
		.map(([body, encoding, how]) => ({
			body:
				how !== 'as named'
					? body.subarray(0, 2000)
					: body === large
						? encoding.large
						: encoding.encode(body),
			encoding: [`content-encoding: ${how === 'unknown' ? 'zstd, x' : encoding.name}`],
		})),
);
const header = fc.constantFrom(
	'content-type: application/json',
	'content-type: application/json; charset=utf-16',
	'content-type: text/html',
	'content-type: \u00ff',
	'retry-after: 0',
	'retry-after: -1',
	'retry-after: soon',
	'retry-after: 1e309',
	'retry-after: Thu, 01 Jan 1970 00:00:00 GMT',
	'__proto__: polluted',
	'constructor: polluted',
	'location: http://127.0.0.1:1/',
	'www-authenticate: Bearer error="invalid_token"',
	`x-long: ${'x'.repeat(9000)}`,
	`x-too-long: ${'x'.repeat(40_000)}`,
	'no colon',
	': no name',
);
const raw: fc.Arbitrary<Raw> = fc
	.record({
		interim: fc.constantFrom(
			'',
			'',
			'HTTP/1.1 100 Continue\r\n\r\n',
			'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(3),
		),
		statusLine: fc.oneof(
			{
				weight: 8,
				arbitrary: fc.integer({ min: 200, max: 599 }).map((code) => `HTTP/1.1 ${code} x`),
			},
			{
				weight: 4,
				arbitrary: fc.constantFrom(
					...[200, 201, 202, 204, 304, 400, 409, 422].map((code) => `HTTP/1.1 ${code}`),
				),
			},
			{
				weight: 1,
				arbitrary: fc.constantFrom(
					'HTTP/1.0 200 OK',
					'HTTP/2 200',
					'HTTP/1.1 999 x',
					'HTTP/1.1 99',
					'',
					'SSH-2.0-OpenSSH_9.2',
				),
			},
		),
		headers: fc.array(header, { maxLength: 4 }),
		content: encoded,
		length: fc.constantFrom(
			'right',
			'right',
			'right',
			'none',
			'too long',
			'too short',
			'wrong',
			'chunked',
		),
		share: fc.oneof(
			{ weight: 4, arbitrary: fc.constant(1) },
			fc.double({ min: 0, max: 1, noNaN: true }),
		),
		isReset: fc.boolean(),
	})
	.map(({ content: { body, encoding }, length, headers, ...rest }) => {
		const lengths: Record<string, string[]> = {
			right: [`content-length: ${body.length}`],
			'too long': [`content-length: ${body.length + 7}`],
			'too short': [`content-length: ${Math.max(0, body.length - 7)}`],
			wrong: ['content-length: -1'],
			chunked: ['transfer-encoding: chunked'],
		};
		return { ...rest, body, headers: [...headers, ...encoding, ...(lengths[length] ?? [])] };
	});

function respond(
	socket: Socket,
	{ interim, statusLine, headers, body, share, isReset }: Raw,
): void {
	const head = `${interim}${[statusLine, ...headers].join('\r\n')}\r\n\r\n`;
	const all = Buffer.concat([Buffer.from(head, 'latin1'), body]);
	socket.write(all.subarray(0, Math.floor(all.length * share)), () =>
		isReset ? socket.resetAndDestroy() : socket.end(),
	);
}

/** What the node may say of an item whose request got this response, and no other. */
function allowedAfter({ statusLine, share }: Raw): string[] {
	const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1] ?? NaN);
	if (share < 1 || Number.isNaN(status)) return ['created', 'duplicate', 'rejected', 'unknown'];
	// Already Reported (RFC 5842, section 7.1).
	if (status === 208) return ['duplicate', 'unknown'];
	if (status < 300) return ['created', 'unknown'];
	// Of the others, HTTP doesn't say that nothing was done.
	const isRefusal = [501, 505, 511].includes(status);
	if (status >= 500) return isRefusal ? ['rejected', 'unknown'] : ['unknown'];
	const isAboutEvent = [400, 409, 422].includes(status);
	return isAboutEvent ? ['duplicate', 'rejected', 'unknown'] : ['rejected', 'unknown'];
}

test('each item has an outcome, and none that its response does not allow', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(raw, { minLength: ITEMS, maxLength: ITEMS }), async (responses) => {
			const responseTo = new Map<string, Raw>();
			const server: Server = createServer((socket) => {
				let received = '';
				socket.on('error', () => {});
				socket.on('data', (data) => {
					received += data.toString();
					const externalId = /"externalId":"([^"]+)"/.exec(received)?.[1];
					if (externalId === undefined || responseTo.has(externalId)) return;
					responseTo.set(externalId, responses[responseTo.size]);
					respond(socket, responseTo.get(externalId)!);
				});
			});
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
			const { port } = server.address() as AddressInfo;
			await bench.seed({ baseUrl: `http://127.0.0.1:${port}` });
			const { json: items } = await bench.run(
				rows(ITEMS),
				{ specifyTransaction: 'item', options: { maxRetryTime: 0, timeout: 10 } },
				{ onError: 'continueRegularOutput' },
			);
			await new Promise((resolve) => server.close(resolve));

			expect(items).toHaveLength(ITEMS);
			for (const { externalId, outcome } of items) {
				const response = responseTo.get(externalId as string);
				expect(response ? allowedAfter(response) : ['notSent']).toContain(outcome);
			}
			expect(({} as Record<string, unknown>).polluted).toBeUndefined();
		}),
		{ numRuns: propertyRuns(100, RUNS_OVER_HTTP) },
	);
});
