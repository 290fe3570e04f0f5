import {
	NodeOperationError,
	type IDataObject,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { SendResult } from '../results';

/** What an item says about a payment. */
export interface Statement {
	outcome: SendResult['outcome'] | 'invalid' | 'dryRun';
	message: string;
	/** How to correct a failure. */
	fix?: string;
	/** HTTP status and body of the last response. */
	status?: number;
	body?: unknown;
}

/** What a person knows a payment by. If the item isn't valid, as the input has it. */
export interface PaymentFields {
	externalId?: unknown;
	amount?: unknown;
	currency?: unknown;
	/** The payment channel, because the money goes there. */
	recipient?: unknown;
	eventId?: unknown;
}

/** Every item has these fields, in the order in which people read them. */
export const jsonOf = (
	{ outcome, message, fix, status, body }: Statement,
	{ externalId, amount, currency, recipient, eventId }: PaymentFields,
): IDataObject => ({
	outcome,
	message,
	fix: fix ?? null,
	externalId: textOrNumber(externalId),
	amount: textOrNumber(amount),
	currency: textOrNumber(currency),
	recipient: textOrNumber(recipient),
	eventId: textOrNumber(eventId),
	statusCode: status ?? null,
	response: isReadable(body) ? (body as IDataObject) : null,
});

/** An empty text is a field without a value, which is null in every item. */
const textOrNumber = (value: unknown) =>
	(typeof value === 'string' && value !== '') || typeof value === 'number' ? value : null;

/** Whether a body says anything. A symbol stands for one that could not be read. */
const isReadable = (body: unknown) =>
	typeof body === 'string' ? body.trim() !== '' : body !== undefined && typeof body !== 'symbol';

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
