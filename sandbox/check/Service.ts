import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { duplicate, notSent, rejected, unknownOutcome } from '../../nodes/Payments/sending/outcome';
import { readResponse, rejectsToken } from '../../nodes/Payments/sending/response/readResponse';
import {
	cleanBody,
	type ServiceResponse,
} from '../../nodes/Payments/sending/response/responseBody';
import type { SendResult } from '../../nodes/Payments/results';
import type { Transaction } from '../../nodes/Payments/Transaction';
import { generateEventId } from '../../nodes/Payments/validation/eventId';
import { classifyNetworkError, type NetworkError } from '../../nodes/shared/networkError';
import { failed, type Result } from '../../nodes/shared/result';
import { parseTokenResponse, type IssuedToken } from '../../nodes/shared/token/tokenResponse';
import { asText } from '../../nodes/shared/values';
import type { Setup } from './options';

/** A transaction that was sent, what came back, and what the Payments node says about it. */
export interface Exchange {
	transaction: Transaction;
	/** ms since the epoch. */
	sentAt: number;
	ms: number;
	/** Missing if there was none. */
	answer?: ServiceResponse;
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
	recordedCodes: string;

	/** Everything that was sent, with what came back. */
	readonly sent: Exchange[] = [];

	/** @param print says what is sent, so that it's known if somebody interrupts the check */
	constructor(
		private readonly setup: Setup,
		private readonly print: (line: string) => void = () => {},
	) {
		this.recordedCodes = setup.recordedCodes;
	}

	async requestToken(clientSecret = this.setup.clientSecret): Promise<Result<IssuedToken>> {
		const { tokenUrl, clientId, scope } = this.setup;
		const form = { grant_type: 'client_credentials', scope, client_id: clientId };
		const { response, reason } = await post(
			tokenUrl,
			new URLSearchParams({ ...form, client_secret: clientSecret }).toString(),
			{ 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
		);
		if (!response) return failed(`${tokenUrl} gave no answer: ${reason}`, 'Check the Auth URL.');
		const { status: statusCode, headers, text: body } = response;
		const contentType = asText(headers['content-type']);
		return parseTokenResponse({ statusCode, body, contentType }, tokenUrl);
	}

	/** Sends a transaction once. */
	async send(transaction: Transaction, token = this.token): Promise<Exchange> {
		this.print(`  Event ID ${transaction.eventId}`);
		const sentAt = Date.now();
		const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
		const body = JSON.stringify(transaction);
		const { response, reason, wasSent } = await post(this.setup.transactionsUrl, body, headers);
		const answer = response && { ...response, body: cleanBody(parsed(response.text), token) };
		const exchange: Exchange = {
			transaction,
			sentAt,
			ms: Date.now() - sentAt,
			answer,
			says: wasSent ? unknownOutcome(reason) : notSent(reason, ''),
			isRetried: false,
			isTokenRejected: false,
			...(answer && this.read(answer, transaction)),
		};
		this.sent.push(exchange);
		return exchange;
	}

	/** What the node says of an answer, with the codes that are stated so far. */
	private read(answer: ServiceResponse, transaction: Transaction) {
		if (rejectsToken(answer)) return { says: rejected(answer), isTokenRejected: true };
		const attempt = readResponse(
			answer,
			{ transaction, hasCustomEventId: false },
			{ retryUnknownOutcome: false, recordedCodes: this.recordedCodes },
		);
		if (attempt.kind === 'recorded') return { says: duplicate(answer, false) };
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
}

/** What came back, or why nothing did. */
interface Posted {
	response?: { status: number; headers: Record<string, string>; text: string };
	reason: string;
	wasSent: boolean;
}

async function post(url: string, body: string, headers: Record<string, string>): Promise<Posted> {
	const signal = AbortSignal.timeout(TIMEOUT_MS);
	try {
		// A redirect would carry the secret to an address that nobody entered.
		const request = { method: 'POST', body, headers, signal, redirect: 'manual' } as const;
		const response = await fetch(url, request);
		const { status } = response;
		const received = Object.fromEntries(response.headers) as Record<string, string>;
		const text = await response.text();
		return { response: { status, headers: received, text }, reason: '', wasSent: true };
	} catch (error) {
		const { host } = new URL(url);
		if (signal.aborted) return { reason: `${host} didn't respond in time`, wasSent: true };
		// fetch has the error of the connection as its cause, and names those of TLS in its own way.
		const cause = ((error as Error).cause ?? error) as NetworkError;
		const isTls = asText(cause.code).startsWith('ERR_SSL_');
		const { reason, requestSent } = classifyNetworkError(isTls ? { code: 'EPROTO' } : cause, host);
		return { reason, wasSent: requestSent !== 'no' };
	}
}

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
