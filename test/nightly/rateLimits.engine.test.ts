import { rows } from '../support/builders/transactions';
import { useBench, type PaymentsBench } from '../support/engine/payments';
import { fixedWindow, LIMIT_HEADERS, slidingWindow } from '../support/rateLimits';
import { startFakeService } from '../support/servers/fakeService';

/*
 * A limit per minute in real time, over real connections: rateLimits.test.ts has many on a fast
 * clock. All lists at the same time, because what takes time is to wait.
 */

const PER_MINUTE = 100;
const ROWS = 160;
/**
 * What is above a minute is for finding out when the limit ends: a sliding window frees one place
 * after the other.
 */
const AT_MOST_S = 75;

let bench: PaymentsBench;
useBench((one) => (bench = one));

const cases = [fixedWindow, slidingWindow].flatMap((kind) =>
	Object.keys(LIMIT_HEADERS).map((header) => ({ kind, header })),
);

/** What became of a list: how many were created, and in how many s. */
async function send({ kind, header }: (typeof cases)[number]) {
	const limit = kind(PER_MINUTE);
	const startedAt = performance.now();
	const service = await startFakeService((_request, response) => {
		const now = performance.now() - startedAt;
		if (!limit.isBeyond(now)) return void response.writeHead(202).end('{}');
		const headers = LIMIT_HEADERS[header](limit.freeAt(now) - now, Date.now());
		response.writeHead(429, headers).end();
	});
	const id = `${kind.name} ${header}`;
	await bench.credentials.seed(id, 'paymentsApi', {
		...{ authUrl: service.url, baseUrl: service.url },
		...{ clientId: id, clientSecret: 'secret', scope: 'PAYMENTS' },
	} as never);
	const { json } = await bench.run(rows(ROWS), undefined, {
		onError: 'continueRegularOutput',
		credentials: { paymentsApi: { id, name: id } },
	});
	await service.stop();
	const created = json.filter(({ outcome }) => outcome === 'created').length;
	return { id, created, seconds: (performance.now() - startedAt) / 1000 };
}

test('a limit per minute loses no row, and costs little more than its own time', async () => {
	const results = await Promise.all(cases.map(send));
	console.table(results);
	expect(results.filter(({ created }) => created !== ROWS)).toEqual([]);
	expect(results.filter(({ seconds }) => seconds > AT_MOST_S)).toEqual([]);
}, 180_000);
