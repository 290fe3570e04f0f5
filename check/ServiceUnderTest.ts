import { setTimeout as pause } from 'node:timers/promises';
import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { attemptToSend, readResponse, type Attempt } from '../nodes/Payments/sending/attempt';
import { duplicate } from '../nodes/Payments/sending/outcome';
import { cleanBody } from '../nodes/Payments/sending/response/responseBody';
import { parseRetryAfter, retryDelay } from '../nodes/Payments/sending/retryDelay';
import type { SendResult } from '../nodes/Payments/results';
import type { Transaction } from '../nodes/Payments/Transaction';
import { transactionsUrl } from '../nodes/shared/serviceUrl';
import { requestToken } from '../nodes/shared/token/tokenRequest';
import type { IssuedToken, TokenProblem } from '../nodes/shared/token/tokenResponse';
import { asText, isObject } from '../nodes/shared/values';
import { sendHttp, wrapped } from './http';
import type { Credential, Setup } from './Setup';

/** What the service answered, without tokens and secrets. */
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
	attempt: Attempt;
	/** What the node reports for an item, if it doesn't try again. */
	says: SendResult;
	/** Whether it says so only with the settings that the check found before. */
	needsSettings: boolean;
}

export interface TokenExchange {
	ms: number;
	answer?: Answer;
	token?: IssuedToken;
	/** What the node and the credential test say if there is no token. */
	problem?: TokenProblem;
}

interface SendOptions {
	hangsUp?: boolean;
	/** Another token than the current one. */
	token?: string;
}

/** How long a transaction is retried as the node does: after 429, 503, and what is in progress. */
const MAX_RETRY_MS = 30_000;

const saysOf = (attempt: Attempt): SendResult =>
	attempt.kind === 'recorded' ? duplicate(attempt.response, false) : attempt.result;

/**
 * The service that is checked. Requests are made, and responses read, by the functions of the
 * Payments node and its credential.
 */
export class ServiceUnderTest {
	readonly credential: Credential;

	/** The access token of the next requests. */
	token = '';

	/** Everything that was sent, in order, with what came back once it has. */
	readonly sent: Array<{ transaction: Transaction; exchange?: Exchange }> = [];

	/** Whether there was an answer to a transaction, or to a token request if none was sent. */
	get hasAnswered(): boolean {
		if (this.sent.length === 0) return this.hasTokenAnswer;
		return this.sent.some(({ exchange }) => exchange?.answer !== undefined);
	}

	private hasTokenAnswer = false;

	/** Those that the service issued. */
	private readonly tokens = new Set<string>();

	constructor(private readonly setup: Setup) {
		this.credential = { ...setup.credential };
	}

	async requestToken(changes: { clientSecret?: string } = {}): Promise<TokenExchange> {
		const credential: Credential = { ...this.credential, ...changes };
		const { timeoutMs } = this.setup;
		const startedAt = Date.now();
		let answer: Answer | undefined;
		const send = async (request: IHttpRequestOptions) => {
			const response = await sendHttp({ ...request, timeoutMs });
			answer = this.answerOf({ ...response, body: parsed(response.body) });
			this.hasTokenAnswer = true;
			return response;
		};
		const { value, problem } = await requestToken(credential, send, timeoutMs);
		return { ms: Date.now() - startedAt, answer, token: value, problem };
	}

	private async renewToken(): Promise<boolean> {
		const { token } = await this.requestToken();
		if (token) this.token = token.bearerToken;
		return token !== undefined;
	}

	/** Sends a transaction once. Doesn't throw. */
	async send(transaction: Transaction, options: SendOptions = {}): Promise<Exchange> {
		const token = options.token ?? this.token;
		const { timeoutMs } = this.setup;
		const entry: (typeof this.sent)[number] = { transaction };
		this.sent.push(entry);
		const sentAt = Date.now();
		let answer: Answer | undefined;
		const httpRequestWithAuthentication = async (
			_credential: string,
			request: IHttpRequestOptions,
		) => {
			Object.assign(request.headers!, { Authorization: `Bearer ${token}` });
			try {
				const response = await sendHttp({
					...request,
					timeoutMs,
					hangsUp: options.hangsUp,
				});
				answer = this.answerOf(response);
				return response;
			} catch (error) {
				throw wrapped(error);
			}
		};
		// What sending a transaction uses of n8n.
		const n8n = {
			helpers: { httpRequestWithAuthentication },
			getExecutionCancelSignal: () => undefined,
		} as unknown as IExecuteFunctions;
		const url = transactionsUrl(this.credential).value!;
		const item = { itemIndex: 0, transaction, hasCustomEventId: true };
		const attempt = await attemptToSend(n8n, this.credential, item, {
			url,
			timeout: timeoutMs,
			retryUnknownOutcome: false,
		});
		const ms = Date.now() - sentAt;
		const needsSettings =
			attempt.kind === 'recorded' &&
			readResponse(attempt.response, item, {
				retryUnknownOutcome: false,
				recordedCodes: this.setup.credential.recordedCodes,
			}).kind !== 'recorded';
		const says = saysOf(attempt);
		entry.exchange = { transaction, sentAt, ms, answer, attempt, says, needsSettings };
		return entry.exchange;
	}

	/**
	 * Sends a transaction until there is a decision, waiting as the node does. An address that never
	 * answered gets three attempts.
	 *
	 * @returns each attempt, at least one
	 */
	async sendWithRetries(transaction: Transaction): Promise<Exchange[]> {
		const exchanges: Exchange[] = [];
		const deadline = Date.now() + MAX_RETRY_MS;
		for (;;) {
			const exchange = await this.send(transaction);
			exchanges.push(exchange);
			const { attempt } = exchange;
			if (attempt.kind !== 'failed' || !attempt.retryable || Date.now() > deadline)
				return exchanges;
			if (exchanges.length > 2 && !this.hasAnswered) return exchanges;
			if (attempt.tokenRejected) {
				if (exchanges.length > 2 || !(await this.renewToken())) return exchanges;
				continue;
			}
			const retryAfter = parseRetryAfter(attempt.retryAfter, Date.now());
			const delay = retryDelay({ attemptCount: exchanges.length, retryAfter }, Math.random());
			if (Date.now() + delay > deadline) return exchanges;
			await pause(delay);
		}
	}

	/** Leaves out every token so far, and the secret, wherever the service repeats them. */
	private answerOf({ statusCode, headers, body }: IN8nHttpFullResponse): Answer {
		const issued = isObject(body) ? TOKENS.map((name) => asText(body[name])) : [];
		for (const token of issued) if (token !== '') this.tokens.add(token);
		const clean = (value: unknown) =>
			withoutText(
				[...this.tokens].reduce(cleanBody, value),
				this.setup.credential.clientSecret.trim(),
			);
		return {
			status: statusCode,
			headers: clean(headers) as Answer['headers'],
			body: clean(hideTokens(body)),
		};
	}
}

/** Members of a token response that are secret, whatever their form. */
const TOKENS = ['access_token', 'refresh_token', 'id_token'];

const hideTokens = (body: unknown): unknown =>
	isObject(body) && TOKENS.some((name) => name in body)
		? {
				...body,
				...Object.fromEntries(
					TOKENS.filter((name) => name in body).map((name) => [name, '{{token}}']),
				),
			}
		: body;

/** Replaces a text in all texts of a value. */
function withoutText(value: unknown, text: string): unknown {
	if (typeof value === 'string') return value.replaceAll(text, '•••');
	if (Array.isArray(value)) return value.map((one) => withoutText(one, text));
	if (!isObject(value)) return value;
	const entries = Object.entries(value);
	return Object.fromEntries(
		entries.map(([name, one]) => [name.replaceAll(text, '•••'), withoutText(one, text)]),
	);
}

function parsed(body: unknown): IN8nHttpFullResponse['body'] {
	try {
		return JSON.parse(String(body)) as IN8nHttpFullResponse['body'];
	} catch {
		return body as IN8nHttpFullResponse['body'];
	}
}
