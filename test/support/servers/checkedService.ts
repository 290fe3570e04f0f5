import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import type { Transaction } from '../../../nodes/Payments/Transaction';
import type { Check } from '../../../check/Check';
import type { Setup } from '../../../check/options';
import { checkService as checkAll } from '../../../check/questions';
import { readRequest, startHttpServer, type HttpServer } from './httpServer';

/* A service that answers in its own way, and the check of it. */

export const SECRET = 'the-secret';

/** An answer of a service. */
export type Reply = [status: number, body?: unknown, headers?: Record<string, string>];

type Answer = (...reply: Reply) => void;

/** What is answered. `first` is the body that is recorded with the Event ID. */
interface Request {
	body: string;
	transaction: Transaction;
	first?: string;
	/** Whether the first request isn't answered yet. */
	isFirstOpen: boolean;
	/** Of the transaction that is recorded. */
	id: string;
	/** The header Idempotency-Key. */
	key?: string;
}

/** Answers a transaction. */
export type Answers = (request: Request, answer: Answer) => void;

export interface ServiceOptions {
	/** Answers a request of any kind that is beyond a limit. */
	limit?: () => Reply | undefined;
	checksToken?: boolean;
	/** Answers a transaction whose amount is no number. It isn't recorded. */
	invalid?: (request: Request, answer: Answer) => void;
	/** Body of an access token's response, beside the token. */
	grant?: object;
	/** Answers a token request with the right secret, if not with a token. */
	token?: (form: URLSearchParams) => Reply | undefined;
	/** What a token must be for, and what one for something else gets. */
	scope?: [needed: string, reply: Reply];
	/** As `--scope` states it. */
	requestedScope?: string;
	/** As `--wait` states it. */
	waitMs?: number;
	/** As `--recorded-codes` states them. */
	recordedCodes?: string;
	/** Off with `--no-idempotency-key`. */
	sendIdempotencyKey?: boolean;
}

const party = (name: string) => ({
	externalEntityId: name,
	externalPaymentChannelId: `${name}-account`,
	countryCode: 'BE',
});

/** Starts a service. It stops when its user says so. */
export async function startCheckedService(
	answers: Answers,
	{ limit, checksToken = true, invalid = refuse, grant = {}, token, scope }: ServiceOptions = {},
): Promise<HttpServer> {
	const recorded = new Map<string, { body: string; id: string; isOpen: boolean }>();
	let granted = '';
	return await startHttpServer(async (incoming, response) => {
		const { method, url, body, headers } = await readRequest(incoming);
		const limited = limit?.();
		if (limited) return send(response, ...limited);
		if (url === '/passport/oauth/token') {
			const form = new URLSearchParams(body);
			if (form.get('client_secret') !== SECRET)
				return send(response, 401, { error: 'invalid_client' });
			const reply = token?.(form);
			if (reply) return send(response, ...reply);
			granted = form.get('scope') ?? '';
			return send(response, 200, { access_token: 'a-token', expires_in: 3600, ...grant });
		}
		if (checksToken && headers.authorization !== 'Bearer a-token') return send(response, 401);
		if (scope && granted !== scope[0]) return send(response, ...scope[1]);
		if (method === 'GET') return send(response, 405);
		const transaction = JSON.parse(body) as Transaction;
		const answer: Answer = (status, reply, more) => send(response, status, reply, more);
		const known = recorded.get(transaction.eventId);
		const { id = randomUUID() } = known ?? {};
		const request = {
			body,
			transaction,
			first: known?.body,
			isFirstOpen: known?.isOpen === true,
			id,
			key: headers['idempotency-key'] as string | undefined,
		};
		if (transaction.amount === 'not-a-number') return invalid(request, answer);
		const entry = known ?? { body, id, isOpen: true };
		recorded.set(transaction.eventId, entry);
		answers(request, (...reply) => {
			if (known === undefined) entry.isOpen = false;
			answer(...reply);
		});
	});
}

/** What the check needs to know, as it's given with these options of the command. */
export const setupOf = (
	url: string,
	{
		recordedCodes = '',
		sendIdempotencyKey = true,
		requestedScope = 'PAYMENTS',
		waitMs = 0,
	}: ServiceOptions = {},
): Setup => ({
	credential: {
		...{ authUrl: url, baseUrl: '', allowHttp: false, recordedCodes, sendIdempotencyKey },
		...{ clientId: 'c', clientSecret: SECRET, scope: requestedScope },
	},
	transactionsUrl: `${url}/api/v1/transactions`,
	sender: party('north-windmills'),
	recipient: party('harbour-bakery'),
	amount: '1.00',
	currency: 'EUR',
	paymentScheme: 'SCT',
	waitMs,
});

/** Starts a service, checks it, and stops it. */
export async function checkService(answers: Answers, options: ServiceOptions = {}): Promise<Check> {
	const server = await startCheckedService(answers, options);
	try {
		return await checkAll(setupOf(server.url, options));
	} finally {
		await server.stop();
	}
}

const refuse: Answers = (_, answer) =>
	answer(400, { code: 'INVALID', message: 'amount: Is no number' });

function send(response: ServerResponse, status: number, body?: unknown, headers = {}): void {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const type = typeof body === 'string' ? 'text/plain' : 'application/json';
	response.writeHead(status, { 'content-type': type, ...headers }).end(text);
}

/** Records the first request with an Event ID, and answers every other one in this way. */
export const repeatsWith =
	(status: number, body?: unknown): Answers =>
	({ first }, answer) =>
		first === undefined ? answer(202) : answer(status, body);
