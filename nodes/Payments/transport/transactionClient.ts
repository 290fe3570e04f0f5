import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { classifyNetworkError } from '../../shared/networkError';
import { parseServiceUrl } from '../../shared/serviceUrl';
import { TokenRequestError } from '../../shared/token/tokenRequest';
import type { Transaction } from '../transaction/validate';
import { isWebPage, parseErrorBody } from './responseBody';
import {
	notSent,
	failureFromResponse,
	keepUnknownOutcome,
	unknownOutcome,
	type SendResult,
	type SendFailure,
} from './outcome';
import { classifyFailure, retryDelay, type RequestFailure } from './retryPolicy';
import { request, type ServiceResponse, type SharedCredential } from './request';

/** Service interface, section 4.2. */
const TRANSACTIONS = '/api/v1/transactions';
const CHECK_CREDENTIAL = 'Open the credential, correct it and test it. Nothing was sent.';

export interface SendOptions {
	/** ms for one request. */
	timeout: number;
	/** ms that all tries for one transaction may take together. */
	maxRetryTime: number;
	retryUnknownOutcome: boolean;
}

type SendTransaction = (transaction: Transaction) => Promise<SendResult>;

/**
 * Opens the one way to the service for a run of the node: the credential is read once, and its token shared by all requests.
 *
 * Returns a function that sends one transaction, again where that is safe, and says how it ended. What the service or the network does never
 * makes it throw.
 */
export async function createTransactionClient(
	context: IExecuteFunctions,
	shared: SharedCredential,
	options: SendOptions,
): Promise<SendTransaction> {
	const base = parseServiceUrl(shared.baseUrl, 'Base URL', {
		endpoint: TRANSACTIONS,
		allowHttp: shared.allowHttp === true,
	});
	if (base.problem !== undefined) return async () => notSent(base.problem, CHECK_CREDENTIAL);
	const url = base.url + TRANSACTIONS;
	const cancelSignal = context.getExecutionCancelSignal();
	/** A wrong secret stays wrong, and asking again for every item may lock the client. */
	let noToken: { fault: RequestFailure; fate: SendFailure } | undefined;

	async function tryOnce(
		transaction: Transaction,
		outdatedToken = false,
	): Promise<SendResult | { fault: RequestFailure; fate: SendFailure }> {
		if (noToken) return noToken;
		const sent = await request(context, shared, {
			method: 'POST',
			url,
			body: transaction,
			timeout: options.timeout,
		});
		// Its token was replaced while it was on its way, so the refusal says nothing about the newer one.
		if (sent.answer?.status === 401 && sent.newerToken && !outdatedToken)
			return await tryOnce(transaction, true);
		if (sent.answer) return readAnswer(sent.answer, transaction);
		return readFailure(sent.error, transaction);
	}

	function readAnswer(
		{ status, headers, body }: ServiceResponse,
		transaction: Transaction,
	): SendResult | { fault: RequestFailure; fate: SendFailure } {
		if (status >= 200 && status < 300) {
			if (!isWebPage(headers['content-type'], body)) return { outcome: 'created', status, body };
			const fate = unknownOutcome(
				`${url} answered with a web page, which the service does not do`,
				transaction,
				{ status },
			);
			return {
				fault: { kind: 'foreign', status },
				fate: { ...fate, remedy: `Check the Base URL in the credential. ${fate.remedy}` },
			};
		}
		const fault: RequestFailure = {
			kind: 'status',
			status,
			retryAfter: headers['retry-after'] as string | undefined,
		};
		return {
			fault,
			fate: failureFromResponse(
				status,
				parseErrorBody(body),
				classifyFailure(fault, options.retryUnknownOutcome).doubt,
				transaction,
			),
		};
	}

	function readFailure(
		error: Error & { code?: unknown; syscall?: unknown },
		transaction: Transaction,
	): { fault: RequestFailure; fate: SendFailure } {
		if (error instanceof TokenRequestError) {
			const failure = {
				fault: { kind: 'token', temporary: error.temporary },
				fate: notSent(error.message, CHECK_CREDENTIAL),
			} as const;
			if (!error.temporary) noToken = failure;
			return failure;
		}
		// n8n itself refused to send, for example because the credential is restricted to other domains; or n8n 1, which keeps of an error its words only.
		if (!('isAxiosError' in error) && error.code === undefined) {
			return (noToken = {
				fault: { kind: 'token', temporary: false },
				fate: notSent(error.message, CHECK_CREDENTIAL),
			});
		}
		const fault = classifyNetworkError(error, new URL(url).host);
		const fate =
			fault.reach === 'notSent'
				? notSent(`The transaction was not sent, because ${fault.reason}`)
				: unknownOutcome(fault.reason, transaction);
		return { fault: { kind: 'network', fault }, fate };
	}

	return async (transaction) => {
		const start = Date.now();
		let doubt: SendFailure | undefined;
		for (let attempt = 1; ; attempt++) {
			const tried = await tryOnce(transaction);
			if (!('fault' in tried)) return tried;
			const { fault } = tried;
			const fate = keepUnknownOutcome(doubt, tried.fate);
			if (fate.outcome === 'unknown') doubt = fate;
			if (cancelSignal?.aborted || !classifyFailure(fault, options.retryUnknownOutcome).resend)
				return fate;
			const retryAfter = fault.kind === 'status' ? fault.retryAfter : undefined;
			const elapsed = Date.now() - start;
			const wait = retryDelay(
				{ attempt, retryAfter, elapsed, budget: options.maxRetryTime },
				Date.now(),
				Math.random(),
			);
			if (wait === undefined)
				return {
					...fate,
					message: `${fate.message} (tried ${attempt} times in ${Math.round(elapsed / 1000)} s)`,
				};
			await pause(wait, cancelSignal);
		}
	};
}

/** Waits, but no longer than the execution is wanted. */
const pause = async (ms: number, signal: AbortSignal | undefined) =>
	await Promise.race([
		sleep(ms),
		new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true })),
	]);
