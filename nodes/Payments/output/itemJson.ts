import type { IDataObject } from 'n8n-workflow';

import type { AttemptLog, Conclusion, LastResponse } from '../results';
import type { TransactionFields } from './messages';

/** What became of an item. */
export type Outcome = Conclusion['outcome'] | 'invalid' | 'dryRun';

/** What an item says about a transaction. */
export interface Statement extends LastResponse, Partial<AttemptLog> {
	outcome: Outcome;
	message: string;
	/** What to do, if something is left to do. */
	fix?: string;
}

export interface Shown {
	/** Nothing is left to do. */
	isSuccess: boolean;
	/** Whether to show the response in any case. */
	includeResponse: boolean;
}

/**
 * The fields of an item, in their order: first which transaction it is, because the editor's table
 * cuts off the rest. If something is left to do, what to do, and what the service's support asks
 * for; the response last, because it makes a row high. What has no value is undefined.
 */
export function jsonOf(
	said: Statement,
	{ externalId, amount, currency, recipient, sentEventId }: TransactionFields,
	{ isSuccess, includeResponse }: Shown,
): IDataObject {
	const { outcome, message, fix, idempotencyKey, lastAttemptAt, attempts, requestId } = said;
	return {
		outcome,
		externalId: textOrNumber(externalId),
		amount: textOrNumber(amount),
		currency: textOrNumber(currency),
		recipient: textOrNumber(recipient),
		message: onOneLine(message),
		...(!isSuccess && { fix: onOneLine(fix ?? '') }),
		sentEventId: textOrNumber(sentEventId),
		...(!isSuccess && {
			idempotencyKey,
			lastAttemptAt: isoText(lastAttemptAt),
			attempts,
			requestId,
		}),
		...((!isSuccess || includeResponse) && responseOf(said)),
		...(includeResponse && { responseHeaders: said.headers }),
	};
}

const responseOf = ({ status, body }: Statement): IDataObject => ({
	statusCode: status,
	response: saysAnything(body) ? (body as IDataObject) : undefined,
});

const isoText = (ms: number | undefined) =>
	ms === undefined ? undefined : new Date(ms).toISOString();

/** n8n's table shows a field without a value as a red "null". */
export const withoutEmpty = (json: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined));

const onOneLine = (text: string) => text.replace(/\s*[\r\n]\s*/g, ' ');

const textOrNumber = (value: unknown) =>
	(typeof value === 'string' && value !== '') || typeof value === 'number' ? value : undefined;

/** Whether a body says anything. A symbol stands for one that could not be read. */
function saysAnything(body: unknown): boolean {
	if (typeof body === 'string') return body.trim() !== '';
	if (typeof body === 'object' && body !== null) return Object.keys(body).length > 0;
	return body !== undefined && body !== null && typeof body !== 'symbol';
}
