import {
	NodeOperationError,
	type IDataObject,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { asText } from '../../shared/values';

/*
 * Items for the error output can be sent again by the same node. n8n lays the JSON of such an item
 * over that of its input, `{ ...input, ...ours }` (n8n-core: `handleNodeErrorOutput`), so:
 *
 * 1. The item has no name that a transaction is read from. `externalId`, `amount`, `currency`, and
 *    `recipientPaymentChannelId` are the input's own, in its own form, or aren't there. No column
 *    matches the other names (input/columns.ts), `sentEventId` among them: a row that is corrected
 *    gets its own ID.
 * 2. A name that an expression of the node reads stays the input's, too, such as `message` if the
 *    reference is `{{ $json.message }}`. What `message` would say then begins `fix`.
 * 3. What an earlier run of the node left in the item is replaced or removed.
 *
 * An expression that reads a whole item, such as `JSON.stringify($json)`, reads these names as well
 * (docs/payments-node.md).
 */

const OF_THE_TRANSACTION = ['externalId', 'amount', 'currency', 'recipientPaymentChannelId'];

/** A member of an item in an expression, as in `$json.name`, `$json?.name`, and `$json["name"]`. */
const MEMBER_OF_ITEM = /\bjson\s*\??\.?\s*(?:\[\s*\\*["'`])?\s*(\w+)/g;

/** Finds the names of members that the expressions of a node read from items. */
export const namesInExpressions = (parameters: INode['parameters']): ReadonlySet<string> =>
	new Set([...JSON.stringify(parameters).matchAll(MEMBER_OF_ITEM)].map(([, name]) => name));

/**
 * Makes of the JSON of an item what n8n can lay over its input.
 *
 * @param own all that the item says; what has no value is undefined
 * @param readNames names that belong to the input
 */
export function overInput(
	own: IDataObject,
	input: IDataObject,
	readNames: ReadonlySet<string>,
): IDataObject {
	const isOfInput = (name: string) => OF_THE_TRANSACTION.includes(name) || readNames.has(name);
	const wasSent = Object.hasOwn(input, 'sentEventId');
	const fix = isOfInput('message') ? `${asText(own.message)}. ${asText(own.fix)}` : own.fix;
	return Object.fromEntries(
		Object.entries({ ...own, fix }).filter(
			([name, value]) => !isOfInput(name) && (value !== undefined || (wasSent && name in input)),
		),
	);
}

/**
 * Marks an item for the error output. n8n copies the enumerable members of an item with `error`
 * there, and the copy must have no `error`, or n8n would replace the JSON by `{ error: message }`.
 * So `error` is not enumerable (n8n-core: `handleNodeErrorOutput`, and what follows it in
 * `processRunExecutionData`).
 */
export function markAsFailure(item: INodeExecutionData, node: INode, message: string): void {
	const error = new NodeOperationError(node, message);
	Object.defineProperty(item, 'error', { value: error, enumerable: false });
}
