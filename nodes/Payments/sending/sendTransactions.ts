import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { PROCESS_CLOCK } from '../../shared/clock';
import { tokenOf } from '../../shared/token/tokenRequest';
import type { AttemptLog, NotBegun, SendResult } from '../results';
import type { TransactionItem } from '../Transaction';
import { readAnswer, type ReadOptions } from './answer/readAnswer';
import { idempotencyKey } from './idempotencyKey';
import { sendRequest } from './request';
import { TransactionList, type ListOptions } from './TransactionList';

interface SendOptions extends Omit<ListOptions, 'cancelSignal'>, ReadOptions {
	/** To which they are sent. */
	url: string;
	/** ms for one request. */
	timeout: number;
}

/**
 * Sends transactions as fast as the service takes them, and retries where that is safe. Whatever
 * the service or the network does, it doesn't throw.
 *
 * @param credential read once for the run of the node
 * @returns the results by the indexes of their items
 */
export async function sendTransactions(
	context: IExecuteFunctions,
	credential: ICredentialDataDecryptedObject,
	items: TransactionItem[],
	options: SendOptions,
): Promise<Map<number, SendResult | NotBegun>> {
	const sendsKey = credential.sendIdempotencyKey !== false;
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
		const sent = await sendRequest(context, credential, request);
		return readAnswer(sent, transaction, options, tokenOf(credential));
	};
	const cancelSignal = context.getExecutionCancelSignal();
	const list = new TransactionList(items, attempt, { ...options, cancelSignal }, PROCESS_CLOCK);
	const results = new Map<number, SendResult | NotBegun>();
	for (const [index, result] of await list.send()) {
		const log = logs.get(index) ?? NO_ATTEMPT;
		results.set(index, result.outcome === 'notBegun' ? result : { ...result, ...log });
	}
	return results;
}

const NO_ATTEMPT: AttemptLog = { attempts: 0 };
