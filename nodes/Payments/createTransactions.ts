import { randomUUID } from 'crypto';
import {
	NodeOperationError,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { parseLimits, type TransactionLimits } from '../shared/limits/transactionLimits';
import { isSuccess, type SendResult } from './sending/outcome';
import type { Run } from './sending/eventHistory';
import { CREDENTIAL, type SharedCredential } from './sending/request';
import { sendTransactions, type ItemToSend } from './sending/sendTransactions';
import { labelOf } from './editor/labels';
import { inputReader, type Input, type TransactionSource } from './input/input';
import { applyLimits, type ExecutionTotals } from './validation/paymentLimits';
import {
	describeInvalidItem,
	describeIssues,
	describeStop,
	toHtml,
	type ItemIssues,
	type LabelOf,
	type Message,
} from './output/messages';
import { readOptions, type Options } from './editor/options';
import {
	dryRunJson,
	failedItem,
	failureJson,
	invalidJson,
	recordedJson,
	successItem,
	type FailureJson,
} from './output/outputItems';
import { readOutputSettings } from './editor/outputParameters';
import { simplify, type OutputSettings } from './output/simplify';
import { summarize, type ItemOutcome } from './output/summary';
import { TotalsMemory } from './validation/totalsMemory';
import type { Transaction } from './Transaction';
import { validateItems } from './validation/validateItems';

/** What the executions of this process have sent, for the option Max Total per Execution. */
const totals = new TotalsMemory();

/**
 * Transaction → Create: every item is checked, then sent (service interface, section 4.2).
 *
 * @returns one item for each input item, paired and in order
 * @throws NodeOperationError unless the node continues on fail: before anything is sent if an item is invalid, and for the
 *   first item that the service doesn't accept, which stops those that are not begun
 */
export async function createTransactions(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	rejectCustomApiCall(this);
	const settings = readSettings(this);
	const credential = await this.getCredentials<SharedCredential>(CREDENTIAL, 0);
	const run = identifyRun(this);
	rejectIfTotalsAreFull(this, settings, run);
	const checked = checkItems(this, credential, settings, totals.of(run.execution));
	rejectInvalidItems(this, checked, settings);
	const output = new Output(this, settings);
	output.addInvalid(checked);
	if (settings.options.dryRun) {
		output.addDryRun(checked.valid);
		return [output.items];
	}
	const results = await sendAll(this, credential, checked.valid, settings, run);
	output.addResults(checked, results);
	return [output.items];
}

/** What the user set, for all items. */
interface Settings {
	options: Options;
	output: OutputSettings;
	continueOnFail: boolean;
}

/** @throws NodeOperationError if an option has a value that it can't have */
function readSettings(context: IExecuteFunctions): Settings {
	const given = context.getNodeParameter('options', 0, {});
	const { value: options, problem, fix } = readOptions(given);
	if (problem !== undefined)
		throw operationError(context.getNode(), { message: problem, description: fix });
	return {
		options,
		output: { ...readOutputSettings(context), includeStatusCode: options.includeStatusCode },
		continueOnFail: context.continueOnFail(),
	};
}

/** Which run of the node in which execution this is. n8n leaves the ID out when it runs without a server. */
const identifyRun = (context: IExecuteFunctions): Run => ({
	execution: JSON.stringify([context.getExecutionId() ?? randomUUID(), context.getNode().id]),
	index: context.getWorkflowDataProxy(0).$runIndex as number,
});

/** @throws NodeOperationError if this execution can't be counted for the option Max Total per Execution */
function rejectIfTotalsAreFull(context: IExecuteFunctions, { options }: Settings, run: Run): void {
	if (options.maxTotal.size === 0 || !totals.isFull(run.execution)) return;
	throw operationError(context.getNode(), {
		message:
			"Too many executions use 'Max Total per Execution' at the same time, so this one can't be checked",
		description: 'Run the workflow again when others have ended. Nothing was sent.',
	});
}

interface CheckedItems {
	/** What each item of the input has for a transaction. */
	inputs: Input[];
	valid: ItemToSend[];
	invalid: ItemIssues[];
	/** Names a field of an item as the user knows it. */
	nameField: LabelOf;
}

/** Reads every item and checks it against the specification, and against the limits of the credential and of the options. */
function checkItems(
	context: IExecuteFunctions,
	credential: SharedCredential,
	{ options }: Settings,
	sentBefore: ExecutionTotals,
): CheckedItems {
	const source = context.getNodeParameter('specifyTransaction', 0) as TransactionSource;
	const readInput = inputReader(context);
	const inputs = context.getInputData().map((_, itemIndex) => readInput(itemIndex));
	const validated = validateItems(inputs, {
		now: Date.now(),
		timeZone: context.getTimezone(),
		skipDecimalsCheck: options.skipDecimalsCheck,
		allowZeroAmounts: options.allowZeroAmounts,
		decimalSeparator: options.decimalSeparator,
		limits: readLimits(context, credential),
	});
	const checked = applyLimits(validated, options, sentBefore);
	return {
		inputs,
		valid: checked.flatMap(({ transaction }, itemIndex) =>
			transaction ? [{ itemIndex, transaction }] : [],
		),
		invalid: checked.flatMap(({ issues }, itemIndex) => (issues ? [{ itemIndex, issues }] : [])),
		nameField: (field, itemIndex) => labelOf(field, source, inputs[itemIndex].columns?.get(field)),
	};
}

/** @throws NodeOperationError if the limits of the credential can't be read */
function readLimits(
	context: IExecuteFunctions,
	credential: SharedCredential,
): TransactionLimits | undefined {
	const { value, problem } = parseLimits(credential);
	if (!problem) return value;
	const { message, fix } = problem;
	throw operationError(context.getNode(), { message, description: fix });
}

/** @throws NodeOperationError if an item is invalid, unless the node continues on fail */
function rejectInvalidItems(
	context: IExecuteFunctions,
	{ inputs, invalid, nameField }: CheckedItems,
	{ continueOnFail }: Settings,
): void {
	if (invalid.length === 0 || continueOnFail) return;
	const message = describeIssues(invalid, inputs.length, nameField);
	throw operationError(context.getNode(), message, invalid[0].itemIndex);
}

/** Sends the valid items. What may have been recorded counts for the option Max Total per Execution. */
async function sendAll(
	context: IExecuteFunctions,
	credential: SharedCredential,
	items: ItemToSend[],
	{ options, continueOnFail }: Settings,
	run: Run,
): Promise<Map<number, SendResult>> {
	// Without a limit, counting only costs memory.
	const counted = options.maxTotal.size > 0 ? totals : undefined;
	// Counted before anything is awaited, so that an agent's calls at the same time can't exceed the limit together.
	counted?.add(run.execution, transactionsOf(items));
	const results = await sendTransactions(context, credential, items, {
		timeout: options.timeout * 1000,
		maxRetryTime: options.maxRetryTime * 1000,
		maxConcurrentRequests: options.maxConcurrentRequests,
		maxRequestsPerSecond: options.maxRequestsPerSecond,
		retryUnknownOutcome: options.retryUnknownOutcome,
		run,
		stopsAt: (result) => !continueOnFail && !isSuccess(result, options.onDuplicate),
	});
	const notRecorded = items.filter(({ itemIndex }) => isNotRecorded(results.get(itemIndex)));
	counted?.remove(run.execution, transactionsOf(notRecorded));
	return results;
}

/** The output items of a run of the node. */
class Output {
	private readonly byIndex: INodeExecutionData[] = [];

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly settings: Settings,
	) {}

	/** In the order of the input; without those that were not begun because the execution stops. */
	get items(): INodeExecutionData[] {
		return this.byIndex.filter(Boolean);
	}

	addInvalid({ inputs, invalid, nameField }: CheckedItems): void {
		for (const { itemIndex, issues } of invalid) {
			const message = describeInvalidItem(issues, (field) => nameField(field, itemIndex));
			this.fail(itemIndex, invalidJson(inputs[itemIndex].value, message, issues));
		}
	}

	addDryRun(valid: ItemToSend[]): void {
		for (const { itemIndex, transaction } of valid)
			this.succeed(itemIndex, dryRunJson(transaction), transaction);
		const message = 'Dry run: nothing was sent';
		this.context.addExecutionHints({ message, location: 'outputPane' });
	}

	/** @throws NodeOperationError for the first item that isn't a success, unless the node continues on fail */
	addResults({ inputs, valid, invalid }: CheckedItems, results: Map<number, SendResult>): void {
		const { options, continueOnFail } = this.settings;
		const { onDuplicate, includeStatusCode } = options;
		const outcomes: ItemOutcome[] = invalid.map(() => ({ outcome: 'invalid' }));
		for (const { itemIndex, transaction } of valid) {
			const result = results.get(itemIndex);
			if (!result) continue;
			outcomes.push({ outcome: result.outcome, transaction });
			if (isSuccess(result, onDuplicate)) {
				this.succeed(itemIndex, recordedJson(transaction, result, includeStatusCode), transaction);
			} else if (continueOnFail) {
				this.fail(itemIndex, failureJson(transaction, result), transaction);
			} else {
				const stop = { transaction, result, total: inputs.length, onDuplicate };
				const message = describeStop([...results.values()], stop);
				throw operationError(this.context.getNode(), message, itemIndex);
			}
		}
		this.addSummary(outcomes);
	}

	private succeed(itemIndex: number, json: object, transaction: Transaction): void {
		const shown = simplify(json, transaction, this.settings.output);
		this.byIndex[itemIndex] = successItem(shown, itemIndex);
	}

	private fail(itemIndex: number, json: FailureJson, transaction?: Transaction): void {
		const shown = simplify(json, transaction, this.settings.output);
		this.byIndex[itemIndex] = failedItem(this.context.getNode(), json, shown, itemIndex);
	}

	private addSummary(outcomes: ItemOutcome[]): void {
		const needsAttention = outcomes.some(
			({ outcome }) => outcome !== 'created' && outcome !== 'duplicate',
		);
		this.context.addExecutionHints({
			message: summarize(outcomes),
			type: needsAttention ? 'warning' : 'info',
			location: 'outputPane',
		});
	}
}

/** The value of the choice that n8n adds to the lists of each node whose credential it can use for other requests. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** Says where to make a custom API call. The editor says so in a notice, but lets the node be executed all the same. */
function rejectCustomApiCall(context: IExecuteFunctions): void {
	const resource = context.getNodeParameter('resource', 0);
	const operation = context.getNodeParameter('operation', 0, '');
	if (resource !== CUSTOM_API_CALL && operation !== CUSTOM_API_CALL) return;
	throw operationError(context.getNode(), {
		message: "This node can't make a custom API call",
		description:
			"Use the HTTP Request node with this credential: set 'Authentication' to 'Predefined Credential Type', and select 'Payments API'. That works with a credential that has no limits.\nTo create transactions with this node, set 'Resource' to 'Transaction' and 'Operation' to 'Create'. Nothing was sent.",
	});
}

/**
 * Ends the execution with a message. Its description is text, as logs and error workflows read it. The editor shows a description as HTML, where a line break
 * is a blank, and takes `descriptionTemplate` in its place if there is one (n8n-editor-ui, `NodeErrorView.vue`, in both lines of n8n).
 */
function operationError(
	node: INode,
	{ message, description }: Message,
	itemIndex?: number,
): NodeOperationError {
	const error = new NodeOperationError(node, message, { description, itemIndex });
	error.context.descriptionTemplate = toHtml(description);
	return error;
}

const transactionsOf = (items: ItemToSend[]) => items.map(({ transaction }) => transaction);

/** Whether the service certainly hasn't recorded the transaction: it was not begun, not sent, or rejected. */
const isNotRecorded = (result: SendResult | undefined) =>
	result === undefined || result.outcome === 'notSent' || result.outcome === 'rejected';
