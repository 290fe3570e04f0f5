import axios from 'axios';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { duplicate, notSent, unknownOutcome } from '../../nodes/Payments/sending/outcome';
import { readResponse } from '../../nodes/Payments/sending/response/readResponse';
import {
	cleanBody,
	type ServiceResponse,
} from '../../nodes/Payments/sending/response/responseBody';
import { parseRecordedCodes } from '../../nodes/Payments/recordedCodes';
import type { SendResult } from '../../nodes/Payments/results';
import type { Transaction } from '../../nodes/Payments/Transaction';
import { generateEventId } from '../../nodes/Payments/validation/eventId';
import { classifyNetworkError, type NetworkError } from '../../nodes/shared/networkError';
import { failed, type Result } from '../../nodes/shared/result';
import { statedWait } from '../../nodes/shared/statedWait';
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
}

/** How long a transaction is sent again after 429, 503, and what is in progress. */
const MAX_RETRY_MS = 30_000;
const PAUSE_MS = 1000;

/** As n8n requests: JSON is parsed, and what isn't JSON stays text. */
const http = axios.create({
	timeout: 60_000,
	// A redirect would carry the secret to an address that nobody entered.
	maxRedirects: 0,
	proxy: false,
	validateStatus: () => true,
});

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
		const { answer, reason } = await post(
			tokenUrl,
			new URLSearchParams({ ...form, client_secret: clientSecret }),
			{ accept: 'application/json' },
		);
		if (!answer) return failed(`${tokenUrl} gave no answer: ${reason}`, 'Check the Auth URL.');
		const { status: statusCode, headers } = answer;
		const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
		const contentType = asText(headers['content-type']);
		return parseTokenResponse({ statusCode, body, contentType }, tokenUrl);
	}

	/** Sends a transaction once. */
	async send(transaction: Transaction, token = this.token): Promise<Exchange> {
		this.print(`  Event ID ${transaction.eventId}`);
		const sentAt = Date.now();
		const headers = { authorization: `Bearer ${token}` };
		const posted = await post(this.setup.transactionsUrl, transaction, headers);
		const answer = posted.answer && {
			...posted.answer,
			body: cleanBody(posted.answer.body, token),
		};
		const exchange: Exchange = {
			transaction,
			sentAt,
			ms: Date.now() - sentAt,
			answer,
			says: posted.wasSent ? unknownOutcome(posted.reason) : notSent(posted.reason, ''),
			isRetried: false,
			...(answer && this.read(answer, transaction)),
		};
		this.sent.push(exchange);
		return exchange;
	}

	/** What the node says of an answer, with the codes that are stated so far. */
	private read(answer: ServiceResponse, transaction: Transaction) {
		const attempt = readResponse(
			answer,
			{ transaction },
			{
				retryUnknownOutcome: false,
				recordedCodes: parseRecordedCodes(this.recordedCodes).value ?? [],
			},
		);
		if (attempt.kind === 'recorded') return { says: duplicate(answer, false) };
		return { says: attempt.result, isRetried: attempt.kind === 'failure' && attempt.retryable };
	}

	/** Sends a transaction until there is a decision, waiting as the node does. */
	async sendWithRetries(transaction: Transaction): Promise<Exchange> {
		const deadline = Date.now() + MAX_RETRY_MS;
		for (;;) {
			const exchange = await this.send(transaction);
			const { answer } = exchange;
			const delay = (answer && statedWait(answer, Date.now())) ?? PAUSE_MS;
			if (!exchange.isRetried || Date.now() + delay > deadline) return exchange;
			await pause(delay);
		}
	}
}

/** What came back, or why nothing did. */
interface Posted {
	answer?: ServiceResponse;
	reason: string;
	wasSent: boolean;
}

async function post(url: string, body: object, headers: Record<string, string>): Promise<Posted> {
	try {
		const response = await http.post<unknown>(url, body, { headers });
		const { status, data } = response;
		return {
			answer: { status, headers: { ...response.headers }, body: data },
			reason: '',
			wasSent: true,
		};
	} catch (error) {
		const { reason, requestSent } = classifyNetworkError(error as NetworkError, url);
		return { reason, wasSent: requestSent !== 'no' };
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
