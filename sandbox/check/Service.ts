import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { duplicate, rejected, unknownOutcome } from '../../nodes/Payments/sending/outcome';
import {
	readResponse,
	rejectsToken,
	type AttemptResult,
} from '../../nodes/Payments/sending/response/readResponse';
import type { SendResult } from '../../nodes/Payments/results';
import type { Transaction } from '../../nodes/Payments/Transaction';
import { generateEventId } from '../../nodes/Payments/validation/eventId';
import { classifyNetworkError, type NetworkError } from '../../nodes/shared/networkError';
import { parseServiceUrl, transactionsUrl } from '../../nodes/shared/serviceUrl';
import {
	parseTokenResponse,
	type IssuedToken,
	type TokenProblem,
} from '../../nodes/shared/token/tokenResponse';
import { asText } from '../../nodes/shared/values';
import type { Setup } from './options';

/** What the service answered. */
export interface Answer {
	status: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** A transaction that was sent, what came back, and what the Payments node says about it. */
export interface Exchange {
	transaction: Transaction;
	/** ms since the epoch. */
	sentAt: number;
	ms: number;
	/** Missing if there was none. */
	answer?: Answer;
	says: SendResult;
	/** Whether the node sends it again. */
	isRetried: boolean;
	isTokenRejected: boolean;
}

/** How long a transaction is sent again after 429, 503, and what is in progress. */
const MAX_RETRY_MS = 30_000;
/** How long a response may take. */
const TIMEOUT_MS = 60_000;
const PAUSE_MS = 1000;

/** The service that is checked. Its answers are read by the functions of the nodes. */
export class Service {
	/** The access token of the next requests. */
	token = '';

	/** What the credential states (Codes for Recorded Already), as the check finds it out. */
	recordedCodes = '';

	/** Everything that was sent, in order, with what came back once it has. */
	readonly sent: Array<{ transaction: Transaction; exchange?: Exchange }> = [];

	constructor(private readonly setup: Setup) {}

	async requestToken(
		clientSecret = this.setup.clientSecret,
	): Promise<{ answer?: Answer; token?: IssuedToken; problem?: TokenProblem }> {
		const { authUrl, allowHttp, clientId, scope } = this.setup;
		const url = `${parseServiceUrl(authUrl, 'Auth URL', { endpoint: TOKEN_PATH, allowHttp }).value!}${TOKEN_PATH}`;
		const form = { grant_type: 'client_credentials', scope, client_id: clientId };
		try {
			const answer = await this.post(
				url,
				new URLSearchParams({ ...form, client_secret: clientSecret }).toString(),
				{ 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
			);
			const { value, problem } = parseTokenResponse(
				{
					statusCode: answer.status,
					body: typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? null),
					contentType: asText(answer.headers['content-type']),
				},
				url,
			);
			return { answer, token: value, problem };
		} catch (error) {
			const message = `${url} gave no answer: ${(error as Error).message}`;
			return { problem: { message, fix: 'Check the Auth URL.', temporary: true } };
		}
	}

	/** Sends a transaction once. */
	async send(transaction: Transaction, token = this.token): Promise<Exchange> {
		const entry: (typeof this.sent)[number] = { transaction };
		this.sent.push(entry);
		const sentAt = Date.now();
		const url = transactionsUrl({ ...this.setup }).value!;
		let answer: Answer | undefined;
		let reason = '';
		try {
			const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
			answer = this.clean(await this.post(url, JSON.stringify(transaction), headers), token);
		} catch (error) {
			reason = (error as Error).message;
		}
		const read = answer ? this.read(answer, transaction) : undefined;
		entry.exchange = {
			transaction,
			sentAt,
			ms: Date.now() - sentAt,
			answer,
			says: read?.says ?? unknownOutcome(reason),
			isRetried: read?.isRetried ?? false,
			isTokenRejected: answer !== undefined && rejectsToken(answer),
		};
		return entry.exchange;
	}

	/** What the node says of an answer, with the codes that are stated so far. */
	private read(answer: Answer, transaction: Transaction) {
		if (rejectsToken(answer)) return { says: rejected(answer), isRetried: false };
		const attempt: AttemptResult = readResponse(
			answer,
			{ transaction, hasCustomEventId: false },
			{ retryUnknownOutcome: false, recordedCodes: this.recordedCodes },
		);
		if (attempt.kind === 'recorded') return { says: duplicate(answer, false), isRetried: false };
		return { says: attempt.result, isRetried: attempt.kind === 'failure' && attempt.retryable };
	}

	/** Sends a transaction until there is a decision, waiting as the node does. */
	async sendWithRetries(transaction: Transaction): Promise<Exchange> {
		const deadline = Date.now() + MAX_RETRY_MS;
		for (;;) {
			const exchange = await this.send(transaction);
			const seconds = Number(exchange.answer?.headers['retry-after'] ?? NaN);
			const delay = Number.isNaN(seconds) ? PAUSE_MS : seconds * 1000;
			if (!exchange.isRetried || Date.now() + delay > deadline) return exchange;
			await pause(delay);
		}
	}

	/** @throws a clause that says why there is no answer */
	private async post(url: string, body: string, headers: Record<string, string>): Promise<Answer> {
		const signal = AbortSignal.timeout(TIMEOUT_MS);
		try {
			// A redirect would carry the secret to an address that nobody entered.
			const response = await fetch(url, {
				method: 'POST',
				body,
				headers,
				signal,
				redirect: 'manual',
			});
			const text = await response.text();
			const { status } = response;
			return { status, headers: Object.fromEntries(response.headers), body: parsed(text) };
		} catch (error) {
			const { host } = new URL(url);
			const { reason } = classifyNetworkError(error as NetworkError, host);
			throw new Error(signal.aborted ? `${host} didn't respond in time` : reason, { cause: error });
		}
	}

	/** Without the token and the secret, wherever the service repeats them. */
	private clean(answer: Answer, token: string): Answer {
		const secrets = [token, this.setup.clientSecret].filter((text) => text !== '');
		const hide = (text: string) => secrets.reduce((rest, one) => rest.replaceAll(one, '•••'), text);
		const quoted = JSON.stringify({ headers: answer.headers, body: answer.body });
		return { ...answer, ...(JSON.parse(hide(quoted)) as Pick<Answer, 'headers' | 'body'>) };
	}
}

/** docs/interface.md, 4.1. */
const TOKEN_PATH = '/passport/oauth/token';

/** JSON, or text that isn't JSON, as n8n hands it on. */
function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}

/** Creates a transaction between the test parties, with an Event ID as the node generates it. */
export function testTransaction(setup: Setup): Transaction {
	const { sender, recipient, amount, currency, paymentScheme } = setup;
	const externalId = `check-${randomUUID().slice(0, 13)}`;
	const payment = { externalId, externalStatus: null, sender, recipient };
	const now = Date.now();
	return {
		eventId: generateEventId(payment),
		...payment,
		reference: `Check ${externalId}`,
		amount,
		currency,
		baseAmount: amount,
		paymentScheme,
		externalCreatedAt: now,
		receivedAt: now,
	};
}

/** The same payment as another execution sends it: with other times and another reference. */
export const inAnotherExecution = (transaction: Transaction): Transaction => ({
	...transaction,
	reference: `${transaction.reference}, again`,
	externalCreatedAt: Date.now(),
	receivedAt: Date.now(),
});
