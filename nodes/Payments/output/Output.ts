import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isSuccess, type OutputSettings, type SendResult } from '../results';
import type { Transaction, TransactionItem } from '../Transaction';
import { describeStop, type InvalidItem } from './messages';
import { operationError } from './operationError';
import {
	dryRunJson,
	failureItem,
	failureJson,
	invalidJson,
	itemOf,
	recordedJson,
	type FailureJson,
} from './outputItems';
import { simplify } from './simplify';
import { summarize, summarizeDryRun, type ItemOutcome } from './summary';

/** Collects the output items of a run of the node. */
export class Output {
	private readonly byIndex: INodeExecutionData[] = [];

	private readonly outcomes: ItemOutcome[] = [];

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly settings: {
			continueOnFail: boolean;
			onDuplicate: 'continue' | 'stop';
			output: OutputSettings;
		},
	) {}

	/** In the order of the input, without those that were not begun because the execution stops. */
	get items(): INodeExecutionData[] {
		return this.byIndex.filter(Boolean);
	}

	addInvalid(invalid: InvalidItem[]): void {
		for (const item of invalid) {
			this.outcomes.push({ outcome: 'invalid' });
			this.addFailure(item.itemIndex, invalidJson(item));
		}
	}

	addDryRun(valid: TransactionItem[]): void {
		for (const { itemIndex, transaction } of valid) {
			this.outcomes.push({ outcome: 'dryRun', transaction });
			this.addSuccess(itemIndex, dryRunJson(transaction), transaction);
		}
		const message = summarizeDryRun(this.outcomes);
		this.context.addExecutionHints({ message, location: 'outputPane' });
	}

	/**
	 * @param results by the indexes of their items
	 * @throws NodeOperationError for the first item that isn't a success, unless the node continues
	 */
	addResults(valid: TransactionItem[], results: Map<number, SendResult>): void {
		const { continueOnFail, onDuplicate, output } = this.settings;
		for (const { itemIndex, transaction } of valid) {
			const result = results.get(itemIndex);
			if (!result) continue;
			this.outcomes.push({ outcome: result.outcome, transaction });
			if (isSuccess(result, onDuplicate)) {
				const json = recordedJson(transaction, result, output.includeStatusCode);
				this.addSuccess(itemIndex, json, transaction);
			} else if (continueOnFail) {
				this.addFailure(itemIndex, failureJson(transaction, result), transaction);
			} else {
				const total = this.context.getInputData().length;
				const stop = { transaction, result, total, onDuplicate };
				const problem = describeStop([...results.values()], stop);
				throw operationError(this.context.getNode(), problem, itemIndex);
			}
		}
		this.addSummary();
	}

	private addSuccess(itemIndex: number, json: object, transaction: Transaction): void {
		const shown = simplify({ json, transaction, isFailure: false }, this.settings.output);
		this.byIndex[itemIndex] = itemOf(shown, itemIndex);
	}

	private addFailure(itemIndex: number, json: FailureJson, transaction?: Transaction): void {
		const shown = simplify({ json, transaction, isFailure: true }, this.settings.output);
		this.byIndex[itemIndex] = failureItem(this.context.getNode(), json, shown, itemIndex);
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
