import type { IExecuteFunctions } from 'n8n-workflow';

import type { Transaction } from '../Transaction';

const MAX_TRANSACTIONS = 5;

/** n8n's limit for a value. */
const MAX_LENGTH = 255;

const SEPARATOR = ', ';

/**
 * Saves the External IDs and Event IDs as n8n's custom execution data, so that the list of
 * executions can be searched for them. Only for an execution with few transactions.
 */
export function labelExecution(context: IExecuteFunctions, transactions: Transaction[]): void {
	if (transactions.length > MAX_TRANSACTIONS) return;
	const { customData } = context;
	for (const key of ['externalId', 'eventId'] as const) {
		// A node in a loop and the tool of an agent run several times.
		const saved = customData.get(key)?.split(SEPARATOR) ?? [];
		const values = new Set([...saved, ...transactions.map((transaction) => transaction[key])]);
		const text = [...values].join(SEPARATOR);
		if (values.size <= MAX_TRANSACTIONS && text.length <= MAX_LENGTH) customData.set(key, text);
	}
}
