import type { IDataObject } from 'n8n-workflow';

import type { AttemptLog, Conclusion, LastResponse } from '../results';
import type { TransactionFields } from './messages';

/** What became of an item. */
export type Outcome = Conclusion['outcome'] | 'invalid' | 'dryRun';

/** What an item says about a transaction. */
export interface Statement extends LastResponse, Partial<AttemptLog> {
	outcome: Outcome;
	/** Of what is created. Otherwise, it's accepted. */
	isRecorded?: boolean;
	message: string;
	/** What to do, if something is left to do. */
	fix?: string;
}

export interface Shown {
	/** Nothing is left to do. */
	isSuccess: boolean;
	/** Whether to show the Event ID and the response in any case. */
	includeResponse: boolean;
}

/**
 * The fields of an item, in their order: first which transaction it is and what happened, because
 * the editor's table cuts off the rest. If something is left to do, what to do, and what the
 * service's support asks for, such as the Event ID; the response last. What has no value is
 * undefined.
 */
export function jsonOf(
	said: Statement,
	{ externalId, amount, currency, recipientPaymentChannelId, sentEventId }: TransactionFields,
	{ isSuccess, includeResponse }: Shown,
): IDataObject {
	const { outcome, message, fix, idempotencyKey, lastAttemptAt, attempts, requestId } = said;
	return {
		outcome,
		externalId: textOrNumber(externalId),
		amount: textOrNumber(amount),
		currency: textOrNumber(currency),
		message: onOneLine(message),
		recipientPaymentChannelId: textOrNumber(recipientPaymentChannelId),
		...(!isSuccess && { fix: keepWide(onOneLine(fix ?? '')) }),
		...((!isSuccess || includeResponse) && { sentEventId: textOrNumber(sentEventId) }),
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
	response: asOneLine(body),
});

/** Of a text that isn't JSON, such as a web page. */
const MAX_TEXT = 500;

/**
 * Writes a body as text, JSON as `JSON.stringify` does: n8n's table has a line for each member of
 * an object. Undefined if it says nothing. A symbol stands for one that could not be read.
 */
function asOneLine(body: unknown): string | undefined {
	if (typeof body === 'string') return onOneLine(body.trim()).slice(0, MAX_TEXT) || undefined;
	if (typeof body === 'object' && body !== null && Object.keys(body).length === 0) return undefined;
	// Of what has no JSON, this is undefined.
	return body === null ? undefined : JSON.stringify(body);
}

const isoText = (ms: number | undefined) =>
	ms === undefined ? undefined : new Date(ms).toISOString();

/** n8n's table shows a field without a value as a red "null". */
export const withoutEmpty = (json: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined));

const onOneLine = (text: string) => text.replace(/\s*[\r\n]\s*/g, ' ');

const textOrNumber = (value: unknown) =>
	(typeof value === 'string' && value !== '') || typeof value === 'number' ? value : undefined;

/** What n8n's table shows in one line of its widest column. */
const LINE_LENGTH = 40;

/**
 * Joins the first words with no-break spaces. n8n's table makes a column as wide as its longest
 * word, and no wider than 300 px, so a fix would stand in 20 lines of two words each.
 */
function keepWide(text: string): string {
	const end = text.length <= LINE_LENGTH ? text.length : text.lastIndexOf(' ', LINE_LENGTH);
	return text.slice(0, end).replaceAll(' ', '\u00a0') + text.slice(end);
}
