import axios from 'axios';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import type { Transaction } from '../../nodes/Payments/Transaction';
import { generateEventId } from '../../nodes/Payments/validation/eventId';
import { classifyNetworkError, type NetworkError } from '../../nodes/shared/networkError';
import { failed, type Result } from '../../nodes/shared/result';
import { statedWait } from '../../nodes/shared/statedWait';
import { meaningOf } from '../../nodes/shared/statuses';
import { parseTokenResponse, type IssuedToken } from '../../nodes/shared/token/tokenResponse';
import { asText } from '../../nodes/shared/values';
import type { Setup } from './options';
import {
	cleanBody,
	readAttempt,
	type Attempt,
	type Reading,
	type ServiceResponse,
} from './reading';

/** A transaction that was sent, what came back, and what the Payments node says about it. */
export interface Exchange extends Attempt, Reading {
	/** ms since the epoch. */
	sentAt: number;
	ms: number;
}

/** How long a transaction is sent again after 429, 503, and what is in progress. */
const MAX_RETRY_MS = 30_000;
const PAUSE_MS = 1000;

const CHECK_AUTH_URL =
	"Enter the address to which /passport/oauth/token is added. If the service issues access tokens at another path, it doesn't have this interface, and doesn't fit.";

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

	private readonly printed = new Set<string>();

	/** Everything that was sent, with what came back. */
	readonly sent: Exchange[] = [];

	/** @param print says what is sent, so that it's known if somebody interrupts the check */
	constructor(
		private readonly setup: Setup,
		private readonly print: (line: string) => void = () => {},
	) {}

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
		const token = parseTokenResponse({ statusCode, body, contentType }, tokenUrl);
		const isOtherPath = ['noSuchPath', 'wrongMethod'].includes(meaningOf(statusCode));
		return token.problem && isOtherPath ? failed(token.problem.message, CHECK_AUTH_URL) : token;
	}

	/** Sends a transaction once. */
	async send(transaction: Transaction, token = this.token): Promise<Exchange> {
		const { eventId } = transaction;
		if (!this.printed.has(eventId)) this.print(`  Event ID ${eventId}`);
		this.printed.add(eventId);
		const sentAt = Date.now();
		const headers = { authorization: `Bearer ${token}` };
		const posted = await post(this.setup.transactionsUrl, transaction, headers);
		const answer = posted.answer && {
			...posted.answer,
			body: cleanBody(posted.answer.body, token),
		};
		const { reason, wasSent } = posted;
		const attempt = { transaction, answer, reason, wasSent };
		const reading = readAttempt(attempt, this.setup.recordedCodes);
		const exchange = { ...attempt, ...reading, sentAt, ms: Date.now() - sentAt };
		this.sent.push(exchange);
		return exchange;
	}

	/** Reads all answers again, with what is entered in Codes for Recorded Already. */
	readAgain(codes: string): void {
		for (const exchange of this.sent) Object.assign(exchange, readAttempt(exchange, codes));
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
	const identity = { externalId, externalStatus: null, sender, recipient };
	const now = Date.now();
	return {
		eventId: generateEventId(identity),
		...identity,
		reference: `Check ${externalId}`,
		amount,
		currency,
		baseAmount: amount,
		paymentScheme,
		externalCreatedAt: now,
		receivedAt: now,
	};
}
