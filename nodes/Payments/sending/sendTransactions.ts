import type { IExecuteFunctions } from 'n8n-workflow';

import { PROCESS_CLOCK } from '../../shared/clock';
import { statedWait } from '../../shared/statedWait';
import type { ClientToken } from '../../shared/token/ClientToken';
import { acceptToken, rejectToken } from '../../shared/token/tokenRequest';
import type { AttemptLog, SendResult } from '../results';
import type { TransactionItem } from '../Transaction';
import { evidenceOf } from './EndedAttempt';
import { idempotencyKey } from './idempotencyKey';
import { notSent, tokenRejected, unknownOutcome } from './response/outcome';
import { sendRequest, type RequestResult, type SharedCredential } from './request';
import {
	failure,
	readResponse,
	rejectsToken,
	type AttemptResult,
	type ReadOptions,
} from './response/readResponse';
import { TransactionList, type ListOptions } from './TransactionList';

/*
 * sendTransactions
 *   TransactionList        the list: which transaction starts a request next, and when
 *     sendRequest          one request
 *     readAttempt          what it says about the transaction
 */

interface SendOptions extends Omit<ListOptions, 'cancelSignal'> {
	/** To which they are sent. */
	url: string;
	/** ms for one request. */
	timeout: number;
	retryUnknownOutcome: boolean;
	/** What the credential states (Codes for Recorded Already). */
	recordedCodes: readonly string[];
}

/**
 * Sends transactions as fast as the service takes them, and retries where that is safe. Whatever
 * the service or the network does, it doesn't throw.
 *
 * @param credential read once for the run of the node
 * @returns the results by the indexes of their items, without those that were not begun because the
 *   execution stops
 */
export async function sendTransactions(
	context: IExecuteFunctions,
	credential: SharedCredential,
	items: TransactionItem[],
	options: SendOptions,
): Promise<Map<number, SendResult>> {
	const sendsKey = credential.sendIdempotencyKey !== false;
	const token: TokenInUse = {
		accept: (bearerToken) => acceptToken(credential, bearerToken),
		reject: (bearerToken) => rejectToken(credential, bearerToken),
	};
	const logs = new Map<number, AttemptLog>();
	const attempt = async (item: TransactionItem) => {
		const { transaction, itemIndex } = item;
		const key = sendsKey ? idempotencyKey(transaction.eventId) : undefined;
		const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
		logs.set(itemIndex, {
			attempts: (logs.get(itemIndex) ?? NO_ATTEMPT).attempts + 1,
			lastAttemptAt: Date.now(),
			idempotencyKey: key === transaction.eventId ? undefined : key,
		});
		const { url, timeout } = options;
		const request = { url, body: transaction, headers, timeout };
		return readAttempt(await sendRequest(context, credential, request), item, options, token);
	};
	const cancelSignal = context.getExecutionCancelSignal();
	const list = new TransactionList(items, attempt, { ...options, cancelSignal }, PROCESS_CLOCK);
	const conclusions = await list.send();
	return new Map(
		[...conclusions].map(([index, conclusion]) => [
			index,
			{ ...conclusion, ...(logs.get(index) ?? NO_ATTEMPT) },
		]),
	);
}

const NO_ATTEMPT: AttemptLog = { attempts: 0 };

/** The access token that requests carry. */
type TokenInUse = Pick<ClientToken, 'accept' | 'reject'>;

/** Reads what a request says about its transaction, and about the access token. */
export function readAttempt(
	sent: RequestResult,
	item: TransactionItem,
	options: ReadOptions,
	token: TokenInUse,
): AttemptResult {
	if (sent.kind === 'notSent')
		return failure(notSent(sent.problem.message, sent.problem.fix), {
			retryable: true,
			evidence: sent.temporary ? 'overload' : 'unusable',
			waitMs: sent.waitMs,
		});
	if (sent.kind === 'noResponse')
		return failure(unknownOutcome(sent.reason), {
			retryable: options.retryUnknownOutcome,
			evidence: 'overload',
		});
	if (rejectsToken(sent))
		return {
			...failure(tokenRejected(sent), { retryable: true, evidence: 'token' }),
			tokenRejected: token.reject(sent.token),
		};
	const attempt = readResponse(sent, item, options);
	if (evidenceOf(attempt) === 'decision') token.accept(sent.token);
	return attempt.kind === 'failure'
		? { ...attempt, waitMs: statedWait(sent, Date.now()) }
		: attempt;
}
