import type { ServerResponse } from 'node:http';

import type { Setup } from '../../check/Setup';
import type { VerdictName } from '../../check/verdict';
import type { Transaction } from '../../nodes/Payments/Transaction';
import { readRequest, startHttpServer, type HttpServer } from '../support/servers/httpServer';

/** What a service answers. */
interface Answer {
	status: number;
	body?: unknown;
	headers?: Record<string, string>;
}

/** What a service has recorded under one Event ID. */
export interface Recorded {
	transaction: Transaction;
	/** More than 1 if it was recorded again. */
	times: number;
	at: number;
	/** The service's own ID of the latest one. */
	id: string;
	/** The answer to it. */
	answer: Answer;
}

/** How a service differs from one that answers 201, and 409 to what it has. */
export interface Behavior {
	created?: (id: string, transaction: Transaction) => Answer;
	/** `recordAgain` for a service that doesn't know the Event ID anymore. */
	repeated?: (known: Recorded) => Answer | 'recordAgain';
	invalid?: (reason: string) => Answer;
	/** While a request with the same Event ID is open. */
	open?: Answer;
	/** How long a transaction takes, in ms. */
	takesMs?: number;
	/** At most this many are accepted per second. */
	perSecond?: number;
	/** A token bucket: at most this many at once, and as many per second. */
	bucket?: number;
	/** At most this many are open. */
	maxOpen?: number;
	tooMany?: Answer;
	/** A token request ends the token before. */
	rotatesTokens?: boolean;
	wrongToken?: Answer;
}

export interface TestService extends HttpServer {
	/** By Event ID. */
	recorded: Map<string, Recorded>;
}

export interface Client {
	clientId: string;
	clientSecret: string;
}

export const CLIENT: Client = {
	clientId: 'check-client',
	clientSecret: 'secret-of-the-check-client',
};

const wait = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms).unref());

const usual = {
	created: (id: string, { eventId }: Transaction): Answer => ({
		status: 201,
		body: { id, eventId, status: 'ACCEPTED', createdAt: new Date().toISOString() },
	}),
	repeated: ({ transaction }: Recorded): Answer => ({
		status: 409,
		body: { code: 'EVENT_ALREADY_EXISTS', message: `Event ${transaction.eventId} already exists.` },
	}),
	invalid: (reason: string): Answer => ({
		status: 422,
		body: { code: 'INVALID', message: reason },
	}),
	tooMany: { status: 429, body: { message: 'Too many requests' } },
	wrongToken: { status: 401, body: { error: 'invalid_token' } },
};

/** Starts a service with one client. It checks secrets, tokens, amounts, and currencies. */
export async function startService(changes: Behavior): Promise<TestService> {
	const behavior = { ...usual, ...changes };
	const recorded = new Map<string, Recorded>();
	const tokens = new Set<string>();
	const openEvents = new Set<string>();
	let accepted: number[] = [];
	let bucket = { tokens: behavior.bucket ?? Infinity, at: Date.now() };
	let count = 0;
	let open = 0;

	const issueToken = (form: URLSearchParams): Answer => {
		const isClient =
			form.get('client_id') === CLIENT.clientId &&
			form.get('client_secret') === CLIENT.clientSecret;
		if (!isClient) return { status: 401, body: { error: 'invalid_client' } };
		if (behavior.rotatesTokens) tokens.clear();
		const token = `token-${++count}-of-the-test-service`;
		tokens.add(token);
		return { status: 200, body: { access_token: token, token_type: 'Bearer', expires_in: 3599 } };
	};

	const take = async (transaction: Transaction): Promise<Answer> => {
		const { eventId, amount, currency } = transaction;
		if (!/^\d+(\.\d+)?$/.test(amount)) return behavior.invalid('amount: not a decimal number');
		if (!Intl.supportedValuesOf('currency').includes(currency))
			return behavior.invalid('currency: not known');
		if (openEvents.has(eventId))
			return behavior.open ?? usual.repeated({ transaction } as Recorded);
		const known = recorded.get(eventId);
		const repeat = known && behavior.repeated(known);
		if (repeat && repeat !== 'recordAgain') return repeat;
		openEvents.add(eventId);
		if (behavior.takesMs) await wait(behavior.takesMs);
		openEvents.delete(eventId);
		const id = `trx_${++count}`;
		const answer = behavior.created(id, transaction);
		recorded.set(eventId, {
			transaction,
			times: (known?.times ?? 0) + 1,
			at: Date.now(),
			id,
			answer,
		});
		return answer;
	};

	const limited = async (transaction: Transaction): Promise<Answer> => {
		const now = Date.now();
		accepted = accepted.filter((at) => at > now - 1000);
		const { bucket: size = Infinity } = behavior;
		const refilled = bucket.tokens + ((now - bucket.at) / 1000) * size;
		bucket = { tokens: Math.min(size, refilled), at: now };
		const isTooMany =
			bucket.tokens < 1 ||
			accepted.length >= (behavior.perSecond ?? Infinity) ||
			open >= (behavior.maxOpen ?? Infinity);
		if (isTooMany) return behavior.tooMany;
		accepted.push(now);
		bucket.tokens--;
		open++;
		try {
			return await take(transaction);
		} finally {
			open--;
		}
	};

	const server = await startHttpServer(async (incoming, response) => {
		const { url, headers, body } = await readRequest(incoming);
		if (url === '/passport/oauth/token')
			return send(response, issueToken(new URLSearchParams(body)));
		const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
		if (!tokens.has(token)) return send(response, behavior.wrongToken);
		send(response, await limited(JSON.parse(body) as Transaction));
	});
	return { ...server, recorded };
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
	const isText = typeof body === 'string';
	const type = isText ? 'text/plain' : 'application/json';
	response.writeHead(status, { ...(body !== undefined && { 'content-type': type }), ...headers });
	response.end(isText ? body : body === undefined ? '' : JSON.stringify(body));
}

/** What the check needs to know of a service, with a short wait. */
export const setupFor = (
	url: string,
	changes: Partial<Setup> = {},
	client: Client = CLIENT,
): Setup => ({
	credential: {
		authUrl: url,
		baseUrl: url,
		clientId: client.clientId,
		clientSecret: client.clientSecret,
		scope: 'PAYMENTS',
		allowHttp: false,
		recordedCodes: '',
	},
	sender: {
		externalEntityId: 'windmills',
		externalPaymentChannelId: 'windmills-1',
		countryCode: 'BE',
	},
	recipient: {
		externalEntityId: 'bakery',
		externalPaymentChannelId: 'bakery-1',
		countryCode: 'DK',
	},
	amount: '1.00',
	currency: 'EUR',
	paymentScheme: 'SCT',
	burst: 0,
	waitMs: 1000,
	timeoutMs: 10_000,
	...changes,
});

/** What somebody finds who looks up every Event ID at the service. */
export const lookUpIn = ({ recorded }: TestService) =>
	new Map([...recorded].map(([eventId, { times }]) => [eventId, times]));

/** A service, and what is true of it. */
interface ServiceCase {
	name: string;
	behavior: Behavior;
	/** After somebody looked up what only the service can tell. */
	verdict: VerdictName;
	/** If nobody did. */
	withoutLook?: VerdictName;
	/** For how long it knows an Event ID. */
	remembersMs?: number;
	/** Fields and values that the verdict must name. */
	settings?: string[];
}

const replays: Behavior = { repeated: ({ answer }) => answer };
const recordsAgain: Behavior = { repeated: () => 'recordAgain' };
const failure = (code: string): Answer => ({
	status: 200,
	body: { success: false, error: { code } },
});
const text = (status: number, body: string): Answer => ({ status, body });

export const SERVICES: ServiceCase[] = [
	{ name: 'no deduplication', behavior: recordsAgain, verdict: 'doesntFit' },
	{
		name: 'deduplication for 2 s',
		remembersMs: 2000,
		behavior: {
			repeated: (known) => (Date.now() - known.at > 2000 ? 'recordAgain' : usual.repeated(known)),
		},
		verdict: 'doesntFit',
	},
	{
		name: 'a 409 without a reason',
		behavior: { repeated: () => ({ status: 409 }) },
		verdict: 'fitsIfSet',
		settings: ['Codes for Recorded Already: 409'],
	},
	{
		name: 'a request in progress',
		behavior: {
			takesMs: 300,
			open: {
				status: 409,
				body: {
					code: 'REQUEST_IN_PROGRESS',
					message: 'A request is outstanding for this Idempotency-Key',
				},
			},
		},
		verdict: 'fits',
	},
	{
		name: '200 with an error',
		behavior: {
			created: () => ({ status: 200, body: { success: true } }),
			repeated: () => failure('EVENT_ALREADY_EXISTS'),
			invalid: failure,
		},
		verdict: 'doesntFit',
	},
	{
		name: '202 without a body',
		behavior: { created: () => ({ status: 202 }), ...replays },
		verdict: 'fits',
		withoutLook: 'notKnown',
	},
	{
		name: '202 without a body, each recorded again',
		behavior: { created: () => ({ status: 202 }), ...recordsAgain },
		verdict: 'doesntFit',
		withoutLook: 'notKnown',
	},
	{
		name: 'the original answer again',
		behavior: replays,
		verdict: 'fits',
		withoutLook: 'notKnown',
	},
	{
		name: 'answers in text',
		behavior: {
			created: () => text(201, 'OK'),
			repeated: () => text(409, 'This event already exists'),
			invalid: (reason) => text(400, reason),
		},
		verdict: 'fits',
	},
	{
		name: '429 without Retry-After',
		behavior: { perSecond: 4 },
		verdict: 'fitsIfSet',
		settings: ['Max Requests per Second: '],
	},
	{
		name: '429 without Retry-After beyond 5 open requests',
		behavior: { takesMs: 400, maxOpen: 5 },
		verdict: 'fitsIfSet',
		settings: ['Max Concurrent Requests: 5'],
	},
	{
		name: '429 with Retry-After',
		behavior: { perSecond: 4, tooMany: { status: 429, headers: { 'retry-after': '1' } } },
		verdict: 'fits',
	},
	{
		name: 'tokens of which only the newest is valid',
		behavior: { rotatesTokens: true },
		verdict: 'fitsIfSet',
		settings: ['Client ID: '],
	},
];
