import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isSuccess, type SendResult } from '../results';
import type { Transaction, TransactionItem } from '../Transaction';
import { describeStop, type InvalidItem } from './messages';
import { operationError } from './operationError';
import {
	dryRunJson,
	failedItem,
	failureJson,
	invalidJson,
	recordedJson,
	successItem,
	type FailureJson,
} from './outputItems';
import { simplify, type OutputSettings } from './simplify';
import { summarize, summarizeDryRun, type ItemOutcome } from './summary';

interface OutcomeSettings {
	continueOnFail: boolean;
	onDuplicate: 'continue' | 'stop';
	includeStatusCode: boolean;
	output: OutputSettings;
}

/** Collects the output items of a run of the node. */
export class Output {
	private readonly byIndex: INodeExecutionData[] = [];

	private readonly outcomes: ItemOutcome[] = [];

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly settings: OutcomeSettings,
	) {}

	/** In the order of the input, without those that were not begun because the execution stops. */
	get items(): INodeExecutionData[] {
		return this.byIndex.filter(Boolean);
	}

	addInvalid(invalid: InvalidItem[]): void {
		for (const item of invalid) {
			this.outcomes.push({ outcome: 'invalid' });
			this.fail(item.itemIndex, invalidJson(item));
		}
	}

	addDryRun(valid: TransactionItem[]): void {
		for (const { itemIndex, transaction } of valid) {
			this.outcomes.push({ outcome: 'dryRun', transaction });
			this.succeed(itemIndex, dryRunJson(transaction), transaction);
		}
		const message = summarizeDryRun(this.outcomes);
		this.context.addExecutionHints({ message, location: 'outputPane' });
	}

	/**
	 * @param results by the indexes of their items
	 * @throws NodeOperationError for the first item that isn't a success, unless the node continues
	 */
	addResults(valid: TransactionItem[], results: Map<number, SendResult>): void {
		const { continueOnFail, onDuplicate, includeStatusCode } = this.settings;
		for (const { itemIndex, transaction } of valid) {
			const result = results.get(itemIndex);
			if (!result) continue;
			this.outcomes.push({ outcome: result.outcome, transaction });
			if (isSuccess(result, onDuplicate)) {
				this.succeed(itemIndex, recordedJson(transaction, result, includeStatusCode), transaction);
			} else if (continueOnFail) {
				this.fail(itemIndex, failureJson(transaction, result), transaction);
			} else {
				const total = this.context.getInputData().length;
				const stop = { transaction, result, total, onDuplicate };
				const problem = describeStop([...results.values()], stop);
				throw operationError(this.context.getNode(), problem, itemIndex);
			}
		}
		this.addSummary();
	}

	private succeed(itemIndex: number, json: object, transaction: Transaction): void {
		const shown = simplify(json, transaction, this.settings.output);
		this.byIndex[itemIndex] = successItem(shown, itemIndex);
	}

	private fail(itemIndex: number, json: FailureJson, transaction?: Transaction): void {
		const shown = simplify(json, transaction, this.settings.output);
		this.byIndex[itemIndex] = failedItem(this.context.getNode(), json, shown, itemIndex);
	}

	private addSummary(): void {
		const needsAttention = this.outcomes.some(
			({ outcome }) => outcome !== 'created' && outcome !== 'duplicate',
		);
		this.context.addExecutionHints({
			message: summarize(this.outcomes),
			type: needsAttention ? 'warning' : 'info',
			location: 'outputPane',
		});
	}
}
