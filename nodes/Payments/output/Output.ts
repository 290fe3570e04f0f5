import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isSuccess, type SendResult } from '../results';
import type { Transaction, TransactionItem } from '../Transaction';
import {
	describeInvalidItem,
	describeInvalidItems,
	describeStop,
	FOR_MODEL,
	startWithItem,
	type InvalidItem,
} from './messages';
import { apiError, operationError } from './operationError';
import { jsonOf, markAsFailure, type Statement, type TransactionFields } from './outputItems';
import { summarize } from './summary';

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
		if (invalid.length > 0 && !continueOnFail) {
			const problem = describeInvalidItems(invalid, this.inputs);
			throw operationError(this.context.getNode(), problem);
		}
		for (const item of invalid) {
			const said = {
				outcome: 'invalid',
				...describeInvalidItem(item, this.inputs, isTool),
			} as const;
			this.addFailure(item.itemIndex, said, item.fields);
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
		results: Map<number, SendResult>,
		{
			onDuplicate,
			includeResponseHeaders,
			host,
		}: { onDuplicate: 'continue' | 'stop'; includeResponseHeaders: boolean; host?: string },
	): void {
		for (const item of valid) {
			const { itemIndex, transaction } = item;
			const known = results.get(itemIndex);
			if (!known) continue;
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

	private add(itemIndex: number, said: Statement, fields: TransactionFields): INodeExecutionData {
		const item = { json: jsonOf(said, fields), pairedItem: { item: itemIndex } };
		this.byIndex[itemIndex] = item;
		return item;
	}

	private addFailure(
		itemIndex: number,
		said: Statement & { fix: string },
		fields: TransactionFields,
	): void {
		const forModel = this.settings.isTool ? ` ${FOR_MODEL}` : '';
		const fix = `${said.fix}${forModel}`;
		markAsFailure(this.add(itemIndex, { ...said, fix }, fields), this.context.getNode());
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
