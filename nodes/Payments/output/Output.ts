import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isSuccess, type NotBegun, type SendResult } from '../results';
import type { Transaction, TransactionItem } from '../Transaction';
import { markAsFailure, namesInExpressions, overInput } from './errorOutput';
import { jsonOf, withoutEmpty, type Statement } from './itemJson';
import {
	describeInvalidItem,
	describeInvalidItems,
	describeStop,
	FOR_MODEL,
	isName,
	startWithItem,
	successMessage,
	type InvalidItem,
	type NamedItem,
	type TransactionFields,
} from './messages';
import { apiError, operationError } from './operationError';
import { summarize, type SummaryItem, type SummaryNotes } from './summary';

/**
 * Collects the output items of a run of the node. A failure is an item if the node continues on
 * fail, and is thrown otherwise.
 */
export class Output {
	private readonly byIndex: INodeExecutionData[] = [];

	private readonly said: SummaryItem[] = [];

	private readonly inputs: INodeExecutionData[];

	/** The names in the node's expressions, if failures leave by the error output. */
	private readonly readNames?: ReadonlySet<string>;

	/** @param settings `isTool`: whether a model reads the items */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly settings: { continueOnFail: boolean; isTool: boolean },
	) {
		this.inputs = context.getInputData();
		const { onError, parameters } = context.getNode();
		if (onError === 'continueErrorOutput') this.readNames = namesInExpressions(parameters);
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
			const said = { outcome: 'notSent', message, fix } as const;
			this.addFailure({ itemIndex, externalId: fields.externalId }, said, fields);
		}
		this.addSummary({});
	}

	addInvalid(invalid: InvalidItem[]): void {
		const { continueOnFail, isTool } = this.settings;
		if (invalid.length > 0 && !continueOnFail)
			throw operationError(this.context.getNode(), describeInvalidItems(invalid, this.inputs));
		for (const item of invalid) {
			const { name, ...problem } = describeInvalidItem(item, this.inputs, isTool);
			this.addFailure(name, { outcome: 'invalid', ...problem }, item.fields);
		}
	}

	addDryRun(
		valid: TransactionItem[],
		{ includeResponse }: { includeResponse: boolean },
		notes: SummaryNotes,
	): void {
		const said = { outcome: 'dryRun', message: 'Dry run: not sent' } as const;
		for (const { itemIndex, transaction } of valid)
			this.add(itemIndex, said, fieldsOf(transaction), includeResponse);
		this.addSummary(notes);
	}

	/** @param results by the indexes of their items */
	addResults(
		valid: TransactionItem[],
		results: ReadonlyMap<number, SendResult | NotBegun>,
		options: { onDuplicate: 'continue' | 'stop'; includeResponse: boolean },
		notes: SummaryNotes,
	): void {
		const { onDuplicate, includeResponse } = options;
		for (const item of valid) {
			const { itemIndex, transaction } = item;
			const result = results.get(itemIndex);
			if (!result || result.outcome === 'notBegun') continue;
			if (isSuccess(result, onDuplicate)) {
				const said = { ...result, message: successMessage(result) };
				this.add(itemIndex, said, fieldsOf(transaction), includeResponse);
			} else if (this.settings.continueOnFail) {
				const name = { itemIndex, externalId: transaction.externalId };
				this.addFailure(name, result, fieldsOf(transaction), includeResponse);
			} else {
				const stop = { item, result, inputs: this.inputs, onDuplicate };
				const problem = describeStop(valid, results, stop);
				const { status } = result;
				throw status === undefined
					? operationError(this.context.getNode(), problem)
					: apiError(this.context.getNode(), problem, status);
			}
		}
		this.addSummary(notes);
	}

	private add(
		itemIndex: number,
		said: Statement,
		fields: TransactionFields,
		includeResponse: boolean,
	): void {
		const json = withoutEmpty(jsonOf(said, fields, { isSuccess: true, includeResponse }));
		this.put(itemIndex, json, said, fields);
	}

	private addFailure(
		name: NamedItem,
		said: Statement & { fix: string },
		fields: TransactionFields,
		includeResponse = false,
	): void {
		const { itemIndex } = name;
		const { isTool } = this.settings;
		const input = this.inputs[itemIndex].json;
		// In the error output, the External ID is the input's own, or isn't there.
		const showsId =
			this.readNames === undefined ||
			(isName(input.externalId) && String(input.externalId) === String(name.externalId));
		const message = startWithItem(said.message, name, this.inputs, showsId);
		const fix = isTool ? `${said.fix} ${FOR_MODEL}`.trim() : said.fix;
		const shown = { isSuccess: false, includeResponse };
		const json = jsonOf({ ...said, message, fix }, fields, shown);
		const ours = this.readNames ? overInput(json, input, this.readNames) : withoutEmpty(json);
		this.put(itemIndex, ours, said, fields);
		if (this.readNames) markAsFailure(this.byIndex[itemIndex], this.context.getNode(), message);
	}

	private put(
		itemIndex: number,
		json: IDataObject,
		{ outcome, isRecorded }: Statement,
		fields: TransactionFields,
	): void {
		this.byIndex[itemIndex] = { json, pairedItem: { item: itemIndex } };
		this.said.push({ outcome, isRecorded, ...fields });
	}

	private addSummary(notes: SummaryNotes): void {
		if (this.said.length === 0) return;
		const needsAttention = this.said.some(
			({ outcome }) => !['created', 'duplicate', 'dryRun'].includes(outcome),
		);
		this.context.addExecutionHints({
			message: summarize(this.said, notes),
			type: needsAttention ? 'warning' : 'info',
			location: 'outputPane',
		});
	}
}

const fieldsOf = ({
	externalId,
	amount,
	currency,
	recipient,
	eventId,
}: Transaction): TransactionFields => ({
	externalId,
	amount,
	currency,
	recipientPaymentChannelId: recipient.externalPaymentChannelId,
	sentEventId: eventId,
});
