import { schemes } from '../../sandbox/deliveries/sign';
import { http } from '../support/servers/sandboxCalls';
import { waitUntil } from '../../host/waitUntil';
import type { Listening } from './service';

interface Delivery {
	body: string;
	headers: Record<string, string>;
}

/** Forges a delivery of an event; `secret` is the real one. */
type Forge = (body: string, createdAt: number, secret: string) => Delivery;

const DAY_MS = 24 * 3_600_000;

const withGuessedSecret: Forge = (body, createdAt) => ({
	body,
	headers: sign(body, createdAt, 'a guessed secret'),
});
const withChangedBody: Forge = (body, createdAt, secret) => ({
	body: body.replace('2501.00', '9501.00'),
	headers: sign(body, createdAt, secret),
});
const withoutSignature: Forge = (body) => ({ body, headers: {} });
const replayed: Forge = (body, createdAt, secret) => ({
	body,
	headers: sign(body, createdAt - DAY_MS, secret),
});
const FORGERIES = [withGuessedSecret, withChangedBody, withoutSignature, replayed];

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

/** Posts until the trigger itself responds; a busy proxy or n8n responds with 502 or 503. */
async function statusOf(post: () => Promise<{ status: number }>): Promise<number> {
	const whenHandled = async () => {
		const { status } = await post();
		return status !== 502 && status !== 503 && status;
	};
	return await waitUntil('the trigger responds', whenHandled, { intervalMs: 500 });
}

/**
 * Sends forged deliveries of the events that `emit` creates, one after the other.
 *
 * @returns the number of responses by status
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
