import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { isSuccess, type NotBegun, type SendResult } from '../results';
import type { Transaction, TransactionItem } from '../Transaction';
import {
	describeInvalidItem,
	describeInvalidItems,
	describeStop,
	FOR_MODEL,
	startWithItem,
	type InvalidItem,
	type TransactionFields,
} from './messages';
import { apiError, operationError } from './operationError';
import { summarize } from './summary';

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

/**
 * Collects the output items of a run of the node. A failure is an item if the node continues on
 * fail, and is thrown otherwise.
 */
export class Output {
	private readonly byIndex: INodeExecutionData[] = [];

	private readonly inputs: INodeExecutionData[];

	/** @param settings `isTool`: whether a model reads the items */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly settings: { continueOnFail: boolean; isTool: boolean },
	) {
		this.inputs = context.getInputData();
	}

	/** In the order of the input, without those that were not begun because the execution stops. */
	get items(): INodeExecutionData[] {
		return this.byIndex.filter(Boolean);
	}

	/**
	 * Takes in why nothing can be sent: an option, the credential, or what n8n throws for them.
	 *
	 * @param fieldsOfItems in the order of the items, if they could be read
	 */
	addUnusable(error: Error & { description?: unknown }, fieldsOfItems: TransactionFields[]): void {
		if (!this.settings.continueOnFail) throw error;
		const { message, description } = error;
		const fix = typeof description === 'string' ? description : 'Nothing was sent.';
		for (const itemIndex of this.inputs.keys()) {
			const fields = fieldsOfItems[itemIndex] ?? {};
			const ofItem = startWithItem(fix, { itemIndex, ...fields }, this.inputs);
			this.addFailure(itemIndex, { outcome: 'notSent', message, fix: ofItem }, fields);
		}
		this.addSummary();
	}

	addInvalid(invalid: InvalidItem[]): void {
		const { continueOnFail, isTool } = this.settings;
		if (invalid.length > 0 && !continueOnFail)
			throw operationError(this.context.getNode(), describeInvalidItems(invalid, this.inputs));
		for (const item of invalid) {
			const problem = describeInvalidItem(item, this.inputs, isTool);
			this.addFailure(item.itemIndex, { outcome: 'invalid', ...problem }, item.fields);
		}
	}

	/** @param host where they would be sent */
	addDryRun(valid: TransactionItem[], host?: string): void {
		const said = {
			outcome: 'dryRun',
			message: "Dry run: the transaction wasn't sent",
			fix: "Turn off the option 'Dry Run' to send it.",
		} as const;
		for (const { itemIndex, transaction } of valid)
			this.add(itemIndex, said, fieldsOf(transaction));
		this.addSummary(host);
	}

	/**
	 * @param results by the indexes of their items
	 * @param host where they were sent
	 */
	addResults(
		valid: TransactionItem[],
		results: ReadonlyMap<number, SendResult | NotBegun>,
		{
			onDuplicate,
			includeResponseHeaders,
			host,
		}: { onDuplicate: 'continue' | 'stop'; includeResponseHeaders: boolean; host?: string },
	): void {
		for (const item of valid) {
			const { itemIndex, transaction } = item;
			const known = results.get(itemIndex);
			if (!known || known.outcome === 'notBegun') continue;
			const result = includeResponseHeaders ? known : { ...known, headers: undefined };
			if (isSuccess(result, onDuplicate)) {
				this.add(itemIndex, result, fieldsOf(transaction));
			} else if (this.settings.continueOnFail) {
				const { externalId } = transaction;
				const fix = startWithItem(result.fix, { itemIndex, externalId }, this.inputs);
				this.addFailure(itemIndex, { ...result, fix }, fieldsOf(transaction));
			} else {
				const stop = { item, result, inputs: this.inputs, onDuplicate };
				const problem = describeStop(valid, results, stop);
				const { status } = result;
				throw status === undefined
					? operationError(this.context.getNode(), problem)
					: apiError(this.context.getNode(), problem, status);
			}
		}
		this.addSummary(host);
	}

	private add(itemIndex: number, said: Statement, fields: TransactionFields): void {
		this.byIndex[itemIndex] = { json: jsonOf(said, fields), pairedItem: { item: itemIndex } };
	}

	private addFailure(
		itemIndex: number,
		said: Statement & { fix: string },
		fields: TransactionFields,
	): void {
		const fix = this.settings.isTool ? `${said.fix} ${FOR_MODEL}` : said.fix;
		this.add(itemIndex, { ...said, fix }, fields);
		markAsFailure(this.byIndex[itemIndex], this.context.getNode());
	}

	private addSummary(host?: string): void {
		const outcomes = this.items.map(({ json }) => json);
		if (outcomes.length === 0) return;
		const needsAttention = outcomes.some(
			({ outcome }) => !['created', 'duplicate', 'dryRun'].includes(outcome as string),
		);
		this.context.addExecutionHints({
			message: summarize(outcomes, host),
			type: needsAttention ? 'warning' : 'info',
			location: 'outputPane',
		});
	}
}

const fieldsOf = (transaction: Transaction): TransactionFields => ({
	...transaction,
	recipient: transaction.recipient.externalPaymentChannelId,
});

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
function markAsFailure(item: INodeExecutionData, node: INode): void {
	if (node.onError !== 'continueErrorOutput') return;
	const error = new NodeOperationError(node, item.json.message as string);
	Object.defineProperty(item, 'error', { value: error, enumerable: false });
}
