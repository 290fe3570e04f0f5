import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { transactionsUrl } from '../../shared/serviceUrl';
import { rejectToken } from '../../shared/token/tokenRequest';
import type { StatedEntry } from '../recordedCodes';
import type { SendResult } from '../results';
import type { TransactionItem } from '../Transaction';
import { notSent, tokenRejected, unknownOutcome } from './outcome';
import { sendRequest, type ServiceRequest, type SharedCredential } from './request';
import {
	failure,
	readResponse,
	rejectsToken,
	type AttemptResult,
	type FailedAttempt,
} from './response/readResponse';
import type { ServiceResponse } from './response/responseBody';
import { TransactionList, type ListOptions } from './TransactionList';

/*
 * sendTransactions
 *   TransactionList        the list: which transaction starts a request next, and when
 *     attemptToSend        one attempt for a transaction: what the response says about it
 *       sendRequest        one request
 */

interface SendOptions extends Omit<ListOptions, 'cancelSignal'> {
	/** ms for one request. */
	timeout: number;
	retryUnknownOutcome: boolean;
	/** What the credential states (Codes for Recorded Already). */
	recordedCodes: readonly StatedEntry[];
}

/** The time of this process, which nobody sets, in place of the clock. */
const CLOCK = { now: () => performance.now(), sleep };

const CORRECT_CREDENTIAL = 'Open the credential, correct it and test it. Nothing was sent.';

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
	const { value: url, problem } = transactionsUrl(credential);
	if (problem) {
		const result = notSent(problem.message, `${problem.fix} ${CORRECT_CREDENTIAL}`);
		return new Map(items.map(({ itemIndex }) => [itemIndex, result]));
	}
	const send = async (item: TransactionItem) =>
		await attemptToSend(context, credential, item, { ...options, url });
	const cancelSignal = context.getExecutionCancelSignal();
	return await new TransactionList(items, send, { ...options, cancelSignal }, CLOCK).send();
}

type AttemptOptions = Pick<ServiceRequest, 'url'> &
	Pick<SendOptions, 'timeout' | 'retryUnknownOutcome' | 'recordedCodes'>;

/** Sends a transaction once, and reads what the response says about it. Does not throw. */
async function attemptToSend(
	context: IExecuteFunctions,
	credential: SharedCredential,
	item: TransactionItem,
	options: AttemptOptions,
): Promise<AttemptResult> {
	const sent = await sendRequest(context, credential, { ...options, body: item.transaction });
	switch (sent.kind) {
		case 'notSent':
			return failure(notSent(sent.problem.message, sent.problem.fix), {
				retryable: true,
				evidence: sent.temporary ? 'overload' : 'unusable',
			});
		case 'noResponse':
			return failure(unknownOutcome(sent.reason), {
				retryable: options.retryUnknownOutcome,
				evidence: 'overload',
			});
		case 'response':
			if (rejectsToken(sent)) return readTokenRejection(credential, sent);
			return readResponse(sent, item, options);
	}
}

/** The next attempt takes another token: the current one, or a new one. */
const readTokenRejection = (
	credential: SharedCredential,
	response: ServiceResponse & { token: string },
): FailedAttempt => ({
	...failure(tokenRejected(response), { retryable: true, evidence: 'answer' }),
	tokenRejected: rejectToken(credential, response.token),
});
