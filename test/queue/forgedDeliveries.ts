import { setTimeout as wait } from 'node:timers/promises';
import { schemes } from '../../sandbox/deliveries/sign';
import { http } from '../support/servers/sandboxCalls';
import type { Listening } from './service';

/** Ways to forge a delivery of an event that really happened, each with the right secret's signature just out of reach. */
const FORGERIES: Array<
	(
		body: string,
		createdAt: number,
		secret: string,
	) => { body: string; headers: Record<string, string> }
> = [
	(body, createdAt) => ({ body, headers: sign(body, createdAt, 'a guessed secret') }),
	(body, createdAt, secret) => ({
		body: body.replace('2501.00', '9501.00'),
		headers: sign(body, createdAt, secret),
	}),
	(body) => ({ body, headers: {} }),
	// What an attacker has recorded a day ago.
	(body, createdAt, secret) => ({ body, headers: sign(body, createdAt - 24 * 3_600_000, secret) }),
];

function sign(body: string, createdAt: number, secret: string) {
	return schemes.messageSignature({
		body,
		eventId: '',
		createdAt,
		attemptAt: createdAt,
		secret,
		endpoint: {},
	});
}

/** The trigger's own answer: a proxy or an n8n with its hands full says 502 or 503, and is asked again. */
async function statusOf(post: () => Promise<{ status: number }>): Promise<number> {
	for (const deadline = Date.now() + 60_000; ; await wait(500)) {
		const { status } = await post();
		if ((status !== 502 && status !== 503) || Date.now() > deadline) return status;
	}
}

/**
 * Sends forged deliveries of the events that `emit` makes, one after the other, until so many were answered.
 * @returns how often each status was answered
 */
export async function forge(
	{ endpoint, kind }: Listening,
	prefix: string,
	count: number,
): Promise<Record<number, number>> {
	const answers: Record<number, number> = {};
	for (let number = 0; number < count; number++) {
		const createdAt = Date.now();
		const honest = JSON.stringify({
			id: prefix + number,
			event: kind,
			data: { amount: '2501.00', currency: 'EUR' },
			previousValues: {},
			createdAt,
		});
		const { body, headers } = FORGERIES[number % FORGERIES.length](
			honest,
			createdAt,
			endpoint.secret,
		);
		const status = await statusOf(
			async () =>
				await http.post(endpoint.url, body, {
					headers: { 'content-type': 'application/json', ...headers },
				}),
		);
		answers[status] = (answers[status] ?? 0) + 1;
	}
	return answers;
}
