import axios from 'axios';
import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { PaymentsApi } from '../credentials/PaymentsApi.credentials';
import { generateEventId } from '../nodes/Payments/eventId';
import { parseRecordedCodes } from '../nodes/Payments/recordedCodes';
import { idempotencyKey } from '../nodes/Payments/sending/idempotencyKey';
import { sendRequest } from '../nodes/Payments/sending/request';
import { waitAfter } from '../nodes/Payments/sending/waitAfter';
import { advance, type Progress } from '../nodes/Payments/sending/Progress';
import type { Transaction } from '../nodes/Payments/Transaction';
import { statedWait } from '../nodes/shared/statedWait';
import { isNotNow } from '../nodes/shared/statuses';
import { credentialTest } from '../nodes/shared/token/credentialTest';
import { renewToken, requestToken, tokenOf, usableToken } from '../nodes/shared/token/tokenRequest';
import type { Setup } from './options';
import { version } from './package.json';
import { entriesOf, readAttempt, type Attempt, type Reading } from './reading';

/** A transaction that was sent, what came back, and what the Payments node says about it. */
export interface Exchange extends Attempt, Reading {
	/** Empty if it went without. */
	key: string;
	/** ms since the epoch. */
	sentAt: number;
}

/** What a request has in place of what the node sends. An empty key is none. */
type Instead = { key?: string; token?: string };

const TIMEOUT_MS = 60_000;
/** How long a transaction is sent again after 503, and what is in progress. */
const MAX_RETRY_MS = 30_000;
/** Nothing waits longer than this at once because of a limit: the default of Max Retry Time. */
const MAX_LIMIT_WAIT_MS = 90_000;
/** How long a request is sent again because of a limit: after two waits of a minute, once more. */
const MAX_LIMITED_MS = 150_000;

/** In place of the node's, so that a service can tell them apart in its log. */
const CHECK_AGENT = { 'User-Agent': `n8n-nodes-payments-check/${version}` };

/** As n8n requests: JSON is parsed, and what isn't JSON stays text. */
const http = axios.create({ maxRedirects: 0, proxy: false, validateStatus: () => true });

async function httpRequest(options: IHttpRequestOptions): Promise<IN8nHttpFullResponse> {
	const { url, method, headers, body, timeout, abortSignal: signal } = options;
	const named = { ...headers, ...CHECK_AGENT };
	const sent = { url, method, headers: named, data: body, timeout, signal };
	const response = await http.request<IN8nHttpFullResponse['body']>(sent as object);
	return { statusCode: response.status, headers: { ...response.headers }, body: response.data };
}

/** The service that is checked. The nodes' own functions send, and read what comes back. */
export class Service {
	/** Everything that was sent, with what came back. */
	readonly sent: Exchange[] = [];

	/** @param print says what is sent, so that it's known if somebody interrupts the check */
	constructor(
		private readonly setup: Setup,
		private readonly print: (line: string) => void = () => {},
	) {}

	async requestToken(clientSecret = this.setup.credential.clientSecret) {
		return await requestToken({ ...this.setup.credential, clientSecret }, this.request);
	}

	/** Tests the credential as n8n does when somebody saves it. */
	async testCredential(): Promise<{ status: string; message: string }> {
		const request = async ({ uri, ...options }: IHttpRequestOptions & { uri: string }) =>
			await this.request({ ...options, url: uri });
		const test = credentialTest((data) => parseRecordedCodes(data.recordedCodes).problem);
		const n8n = { helpers: { request } } as unknown as ThisParameterType<typeof test>;
		const data = { ...this.setup.credential };
		return await test.call(n8n, { id: '', name: '', type: '', data });
	}

	/** Makes a transaction between the test parties, with an Event ID as the node generates it. */
	newTransaction(createdAt = Date.now()): Transaction {
		const { sender, recipient, amount, currency, paymentScheme } = this.setup;
		const externalId = `check-${randomUUID().slice(0, 13)}`;
		const identity = { externalId, externalStatus: null, sender, recipient };
		const eventId = generateEventId(identity);
		this.print(`  Event ID ${eventId}`);
		const content = { reference: `Check ${externalId}`, amount, currency, baseAmount: amount };
		const times = { externalCreatedAt: createdAt, receivedAt: createdAt };
		return { eventId, ...identity, ...content, paymentScheme, ...times };
	}

	/** Sends a transaction until no limit keeps it from being processed. */
	async send(transaction: Transaction, instead?: Instead): Promise<Exchange> {
		return await this.sendUntil(transaction, instead, ({ answer }) => answer.says !== 'limit');
	}

	/** Sends a transaction until there is a decision. */
	async sendWithRetries(transaction: Transaction, instead?: Instead): Promise<Exchange> {
		return await this.sendUntil(transaction, instead, () => false);
	}

	/** Decides whether to send a transaction again, and waits, as the node does. */
	private async sendUntil(
		transaction: Transaction,
		instead: Instead | undefined,
		isEnough: (exchange: Exchange) => boolean,
	): Promise<Exchange> {
		const limitedUntil = performance.now() + MAX_LIMITED_MS;
		let progress: Progress | undefined;
		for (let number = 1; ; number++) {
			const startedAt = performance.now();
			const exchange = await this.sendOnce(transaction, instead);
			const { answer, sent } = exchange;
			const endedAt = performance.now();
			const isLimited = answer.says === 'limit';
			const wait = waitAfter(answer, { attempts: number, setback: 0, random: Math.random() });
			const attempt = { answer, startedAt, endedAt, number };
			const maxMs = isLimited ? MAX_LIMIT_WAIT_MS : MAX_RETRY_MS;
			const next = advance(progress, attempt, wait, maxMs);
			// What can't be sent is said at once.
			const isStuck = sent.says === 'notSent' || sent.says === 'cannotBeSent';
			if ('result' in next || isStuck || isEnough(exchange)) return exchange;
			if (isLimited && next.dueAt > limitedUntil) return exchange;
			({ progress } = next);
			if (isLimited) this.sayWait(429, wait.own);
			await pause(next.dueAt - endedAt);
		}
	}

	private async sendOnce(
		transaction: Transaction,
		{ key = this.keyOf(transaction), token }: Instead = {},
	): Promise<Exchange> {
		const { transactionsUrl: url, credential } = this.setup;
		const headers = {
			...(key && { 'Idempotency-Key': key }),
			...(token && { Authorization: `Bearer ${token}` }),
		};
		const sentAt = Date.now();
		const request = { url, body: transaction, headers, timeout: TIMEOUT_MS };
		const attempt = { transaction, sent: await sendRequest(this.n8n, credential, request) };
		const reading = readAttempt(attempt, entriesOf(credential.recordedCodes), tokenOf(credential));
		const exchange = { ...attempt, ...reading, key, sentAt };
		this.sent.push(exchange);
		return exchange;
	}

	/** Whether a limit kept a request with this transaction from being processed at first. */
	wasLimited({ eventId }: Transaction): boolean {
		return this.sent.some(
			({ transaction, answer }) => transaction.eventId === eventId && answer.says === 'limit',
		);
	}

	/** Requests a token, or what the credential test does, again when the service asks for that. */
	private request = async (options: IHttpRequestOptions): Promise<IN8nHttpFullResponse> => {
		const limitedUntil = performance.now() + MAX_LIMITED_MS;
		for (let { abortSignal } = options; ; abortSignal = AbortSignal.timeout(TIMEOUT_MS)) {
			const response = await httpRequest({ ...options, abortSignal });
			const { statusCode: status, headers } = response;
			const waitMs = isNotNow(status) ? statedWait({ status, headers }, Date.now()) : undefined;
			if (waitMs === undefined || waitMs > MAX_LIMIT_WAIT_MS) return response;
			if (performance.now() + waitMs > limitedUntil) return response;
			this.sayWait(status, waitMs);
			await pause(waitMs);
		}
	};

	private sayWait(status: number, ms: number): void {
		this.print(`  Status ${status}: the check goes on in ${Math.ceil(ms / 1000)} s`);
	}

	/** Reads all answers again, with what is entered in Codes for Recorded Already. */
	readAgain(entries: readonly string[]): void {
		for (const exchange of this.sent) Object.assign(exchange, readAttempt(exchange, entries));
	}

	/** The Idempotency-Key with which the node sends a transaction. */
	keyOf({ eventId }: Transaction): string {
		return this.setup.credential.sendIdempotencyKey ? idempotencyKey(eventId) : '';
	}

	/** What the node has from n8n, which adds the token by the functions of the credential. */
	private get n8n(): IExecuteFunctions {
		const { credential } = this.setup;
		const withToken = async (options: IHttpRequestOptions) => {
			if (options.headers?.Authorization) return options;
			if (usableToken(credential) === undefined) await renewToken(credential, this.request);
			return await new PaymentsApi().authenticate(credential, options);
		};
		const httpRequestWithAuthentication = async (_name: string, options: IHttpRequestOptions) =>
			await httpRequest(await withToken(options)).catch((cause: unknown) => {
				throw new Error('n8n wraps what the HTTP client throws.', { cause });
			});
		const helpers = { httpRequestWithAuthentication };
		return { helpers, getExecutionCancelSignal: () => undefined } as unknown as IExecuteFunctions;
	}
}
