import { inspect as format } from 'node:util';

import type { NextResponse } from '../../../../sandbox/types';
import { freePort } from '../../../../host/freePort';
import { isNightly } from '../../../support/nightly';
import { rows } from '../../../support/builders/transactions';
import { useBench, type PaymentsBench } from '../../../support/engine/payments';

let bench: PaymentsBench;
useBench((one) => (bench = one));
afterEach(() => jest.restoreAllMocks());

/** At night, a thousand. */
const PAYMENTS = isNightly ? 1000 : 300;

test('hundreds of payments with 10 % 429, 5 % 503, and tokens revoked twice: all are created once', async () => {
	await bench.run(rows(1, () => ({ externalId: 'fetches a token' })));
	await bench.sandbox.client.reset();
	await bench.sandbox.client.setFaults({
		seed: 7,
		latencyMs: [0, 10],
		statuses: [
			{ status: 429, rate: 0.1, retryAfter: 0 },
			{ status: 503, rate: 0.05 },
		],
		revokeTokens: { every: PAYMENTS * 0.4 },
	});
	const { json, run } = await bench.run(rows(PAYMENTS), {
		specifyTransaction: 'item',
		options: { maxRetryTime: 60, maxConcurrentRequests: 50 },
	});
	expect(run.status).toBe('success');
	const { transactions: seen, tokens } = await bench.sandbox.client.getCounts();
	expect(json.filter(({ outcome }) => outcome === 'created')).toHaveLength(PAYMENTS);
	expect(seen).toMatchObject({ created: PAYMENTS, duplicates: 0 });
	expect(seen.responses['429']).toBeGreaterThan(PAYMENTS * 0.05);
	expect(seen.responses['503']).toBeGreaterThan(PAYMENTS * 0.02);
	expect(tokens.requests).toBeLessThanOrEqual(2);
});

test('no secret and no token in items, messages or logs', async () => {
	const logged: string[] = [];
	const writers = (['stdout', 'stderr'] as const).map((name) =>
		jest.spyOn(process[name], 'write').mockImplementation((text) => logged.push(String(text)) > 0),
	);
	const seen: unknown[] = [];
	let token = '';
	try {
		for (const next of [
			[],
			[{ status: 401, times: 2 }],
			[{ status: 400 }],
			[{ fault: 'reset' }],
			[{ fault: 'html' }],
		] as NextResponse[][]) {
			await bench.sandbox.client.reset();
			await bench.sandbox.client.setFaults({ next });
			for (const onError of ['continueRegularOutput', 'stopWorkflow'] as const)
				seen.push(await bench.run(rows(2), undefined, { onError }));
		}
		// A token is kept behind its client and its expiry.
		const { accessToken } = (await bench.credentials.stored.get('c1')!.getData()) as {
			accessToken: string;
		};
		token = accessToken.split(' ').at(-1)!;
		for (const status of [202, 400]) {
			const body = { [token]: [`Invalid access token: ${token}`] };
			await bench.sandbox.client.setFaults({ next: [{ status, body }] });
			for (const onError of ['continueRegularOutput', 'stopWorkflow'] as const)
				seen.push(await bench.run(rows(1), undefined, { onError }));
		}
		await bench.seed({ clientSecret: 'a-wrong-secret-of-mine' });
		seen.push(await bench.run(rows(1)));
		await bench.seed({ authUrl: `http://127.0.0.1:${await freePort()}` });
		seen.push(
			await bench.run(rows(1), { specifyTransaction: 'item', options: { maxRetryTime: 0 } }),
		);
	} finally {
		for (const writer of writers) writer.mockRestore();
	}
	const haystack = inspect(seen) + logged.join('');
	expect(haystack).toContain('pmt_1');
	expect(haystack).toContain('•••');
	expect(token.length).toBeGreaterThan(8);
	for (const needle of [
		bench.client.clientSecret,
		'a-wrong-secret-of-mine',
		token,
		'Bearer ',
		'client_secret',
	])
		expect(haystack.includes(needle)).toBe(false);
});

/** Everything that hangs on a value, hidden members and causes included. */
const inspect = (value: unknown) =>
	format(value, {
		depth: Infinity,
		showHidden: true,
		maxArrayLength: Infinity,
		maxStringLength: Infinity,
	});
