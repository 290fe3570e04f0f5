import {
	NodeOperationError,
	type IDataObject,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { SendResult } from '../results';

/** What an item says about a transaction. */
export interface Statement {
	outcome: SendResult['outcome'] | 'invalid' | 'dryRun';
	message: string;
	/** What to do. Missing for what is created. */
	fix?: string;
	/** HTTP status, headers, and body of the last response. */
	status?: number;
	headers?: Record<string, unknown>;
	body?: unknown;
}

/** What a person knows a transaction by. If the item isn't valid, as the input has it. */
export interface TransactionFields {
	externalId?: unknown;
	amount?: unknown;
	currency?: unknown;
	/** The payment channel. */
	recipient?: unknown;
	eventId?: unknown;
}

const AFTER_CREATED = 'If the service also pays, an event says whether money moved.';

/**
 * The fields of an item: first which transaction it is, because the editor's table cuts off the
 * rest, and last the response, because it makes a row high. Texts are on one line. A field without
 * a value is left out, because the table would show it as a red "null".
 */
export function jsonOf(
	{ outcome, message, fix, status, headers, body }: Statement,
	{ externalId, amount, currency, recipient, eventId }: TransactionFields,
): IDataObject {
	const fields = {
		outcome,
		externalId: textOrNumber(externalId),
		amount: textOrNumber(amount),
		currency: textOrNumber(currency),
		recipient: textOrNumber(recipient),
		message: onOneLine(message),
		fix: onOneLine(fix ?? AFTER_CREATED),
		eventId: textOrNumber(eventId),
		statusCode: status,
		responseHeaders: headers as IDataObject | undefined,
		response: saysAnything(body) ? (body as IDataObject) : undefined,
	};
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const onOneLine = (text: string) => text.replace(/\s*[\r\n]\s*/g, ' ');

const textOrNumber = (value: unknown) =>
	(typeof value === 'string' && value !== '') || typeof value === 'number' ? value : undefined;

/** Whether a body says anything. A symbol stands for one that could not be read. */
function saysAnything(body: unknown): boolean {
	if (typeof body === 'string') return body.trim() !== '';
	if (typeof body === 'object' && body !== null) return Object.keys(body).length > 0;
	return body !== undefined && body !== null && typeof body !== 'symbol';
}

/**
 * Marks an item for the error output, if there is one. n8n copies the enumerable members of an item
 * with `error` there, and the copy must have no `error`, or n8n would replace the JSON by
 * `{ error: message }`. So `error` is not enumerable (n8n-core: `handleNodeErrorOutput`, and what
 * follows it in `processRunExecutionData`).
 */
export function markAsFailure(item: INodeExecutionData, node: INode): void {
	if (node.onError !== 'continueErrorOutput') return;
	const error = new NodeOperationError(node, item.json.message as string);
	Object.defineProperty(item, 'error', { value: error, enumerable: false });
}
