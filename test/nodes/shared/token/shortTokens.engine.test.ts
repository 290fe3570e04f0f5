import type { IDataObject } from 'n8n-workflow';

import { isNightly } from '../../../support/nightly';
import { rows } from '../../../support/builders/transactions';
import { readRequest, startHttpServer } from '../../../support/servers/httpServer';
import { useBench, type PaymentsBench } from '../../../support/engine/payments';

/* Tokens that live for a moment: every item has an outcome, and the run ends. */

let bench: PaymentsBench;
useBench((one) => (bench = one));

/** At night, as many as make the token change often. */
const ITEMS = isNightly ? 6000 : 600;

interface Issued {
	/** Seconds until the service rejects it. */
	lifetime: number;
	/** What the response says. */
	expiresIn: number;
}

/**
 * Starts a service that accepts only tokens that haven't ended.
 *
 * @param issue what the next token is like; `undefined` to repeat the last one with the seconds
 *   that are left
 */
async function startService(issue: () => Issued, latencyMs = 0, repeats = false) {
	let last = { token: '', endsAt: 0 };
	const endOf = new Map<string, number>();
	const recorded = new Map<string, number>();
	const server = await startHttpServer(async (incoming, response) => {
		const { url, headers, body } = await readRequest(incoming);
		response.setHeader('content-type', 'application/json');
		if (url !== '/passport/oauth/token') {
			const isValid = (endOf.get(headers.authorization ?? '') ?? 0) > Date.now();
			if (isValid) recorded.set((JSON.parse(body) as { eventId: string }).eventId, Date.now());
			response.writeHead(isValid ? 202 : 401).end('{}');
			return;
		}
		await new Promise((resolve) => setTimeout(resolve, latencyMs));
		const { lifetime, expiresIn } = issue();
		if (!repeats || last.endsAt <= Date.now() + 50) {
			last = { token: `token-${endOf.size}`, endsAt: Date.now() + lifetime * 1000 };
			endOf.set(`Bearer ${last.token}`, last.endsAt);
		}
		const left = repeats ? Math.floor((last.endsAt - Date.now()) / 1000) : expiresIn;
		response.end(JSON.stringify({ access_token: last.token, expires_in: left }));
	});
	return { url: server.url, recorded, stop: async () => await server.stop() };
}

test.each<[string, () => Issued, number, boolean]>([
	['4 s', () => ({ lifetime: 4, expiresIn: 4 }), 0, false],
	['1 s, from an endpoint that takes 1 s', () => ({ lifetime: 1, expiresIn: 1 }), 1000, false],
	['no time at all, it says', () => ({ lifetime: 60, expiresIn: 0 }), 0, false],
])('tokens of %s', async (_, issue, latencyMs, repeats) => {
	const service = await startService(issue, latencyMs, repeats);
	await bench.seed({ authUrl: service.url, baseUrl: service.url });
	const { json } = await bench.run(
		rows(ITEMS),
		{ specifyTransaction: 'item', options: {} },
		{ onError: 'continueRegularOutput' },
	);
	const endedAt = Date.now();
	await new Promise((resolve) => setTimeout(resolve, 500));
	await service.stop();
	expect(json).toHaveLength(ITEMS);
	expect(json.filter(({ outcome }: IDataObject) => outcome === 'created')).toHaveLength(ITEMS);
	expect(service.recorded.size).toBe(ITEMS);
	expect([...service.recorded.values()].every((at) => at <= endedAt)).toBe(true);
});
