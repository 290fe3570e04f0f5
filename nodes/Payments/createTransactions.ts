import { randomUUID } from 'crypto';
import {
	NodeOperationError,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { parseLimits } from '../shared/limits/transactionLimits';
import { INITIAL_LIMIT, MAX_CONCURRENT_REQUESTS } from './sending/concurrencyLimit';
import { forEachConcurrent } from './sending/forEachConcurrent';
import { isSuccess, type SendResult } from './sending/outcome';
import { CREDENTIAL, type SharedCredential } from './sending/request';
import { createTransactionClient } from './sending/transactionClient';
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
import { simplify } from './output/simplify';
import { summarize, type ItemOutcome } from './output/summary';
import { TotalsMemory } from './validation/totalsMemory';
import type { Transaction } from './Transaction';
import { validateItems } from './validation/validateItems';

/** What the executions of this process have sent, for the option Max Total per Execution. */
const totals = new TotalsMemory();

interface ValidItem {
	itemIndex: number;
	transaction: Transaction;
}

/**
 * Transaction → Create: every item is checked, then sent (service interface, section 4.2).
 *
 * @returns one item for each input item, paired and in order
 * @throws NodeOperationError unless the node continues on fail: before anything is sent if an item is invalid, and for the first item that the service
 *   doesn't accept, which stops those that are not begun
 */
export async function createTransactions(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const node = this.getNode();
	rejectCustomApiCall(this);
	const options = getOptions(this);
	const { onDuplicate, includeStatusCode } = options;
	const outputSettings = { ...readOutputSettings(this), includeStatusCode };
	const continueOnFail = this.continueOnFail();
	const credential = await this.getCredentials<SharedCredential>(CREDENTIAL, 0);
	const execution = executionKey(this);
	const sentBefore = totals.of(execution);
	const { inputs, valid, invalid, nameField } = checkItems(this, credential, options, sentBefore);
	if (invalid.length > 0 && !continueOnFail) {
		const message = describeIssues(invalid, inputs.length, nameField);
		throw operationError(node, message, invalid[0].itemIndex);
	}

	const output: INodeExecutionData[] = [];
	const succeed = (itemIndex: number, json: object, transaction: Transaction) => {
		output[itemIndex] = successItem(simplify(json, transaction, outputSettings), itemIndex);
	};
	const fail = (itemIndex: number, json: FailureJson, transaction?: Transaction) => {
		const shown = simplify(json, transaction, outputSettings);
		output[itemIndex] = failedItem(node, json, shown, itemIndex);
	};

	for (const { itemIndex, issues } of invalid) {
		const message = describeInvalidItem(issues, (field) => nameField(field, itemIndex));
		fail(itemIndex, invalidJson(inputs[itemIndex].value, message, issues));
	}
	if (options.dryRun) {
		for (const { itemIndex, transaction } of valid)
			succeed(itemIndex, dryRunJson(transaction), transaction);
		this.addExecutionHints({ message: 'Dry run: nothing was sent', location: 'outputPane' });
		return [output];
	}

	const outcomes: ItemOutcome[] = invalid.map(() => ({ outcome: 'invalid' }));
	const stopsAt = (result: SendResult) => !continueOnFail && !isSuccess(result, onDuplicate);
	// Stryker disable next-line ConditionalExpression, EqualityOperator: without a limit, counting only costs memory
	const counted = options.maxTotal.size > 0 ? totals : undefined;
	// Counted before anything is awaited, so that calls of an agent's tool at the same time can't exceed the limit together.
	counted?.add(execution, transactionsOf(valid));
	const results = await sendAll(this, credential, valid, options, stopsAt);
	const notRecorded = valid.filter(({ itemIndex }) => isNotRecorded(results.get(itemIndex)));
	counted?.remove(execution, transactionsOf(notRecorded));

	for (const { itemIndex, transaction } of valid) {
		const result = results.get(itemIndex);
		// Not begun, because the execution was canceled or stops at another item.
		if (!result) continue;
		outcomes.push({ outcome: result.outcome, transaction });
		if (isSuccess(result, onDuplicate)) {
			succeed(itemIndex, recordedJson(transaction, result, includeStatusCode), transaction);
		} else if (continueOnFail) {
			fail(itemIndex, failureJson(transaction, result), transaction);
		} else {
			const stop = { transaction, result, total: inputs.length, onDuplicate };
			throw operationError(node, describeStop([...results.values()], stop), itemIndex);
		}
	}
	addSummary(this, outcomes);
	return [output.filter(Boolean)];
}

/** @throws NodeOperationError if an option has a value that it can't have */
function getOptions(context: IExecuteFunctions): Options {
	const given = context.getNodeParameter('options', 0, {});
	const { value, problem, fix } = readOptions(given);
	if (problem === undefined) return value;
	throw operationError(context.getNode(), { message: problem, description: fix });
}

interface CheckedItems {
	/** What each item of the input has for a transaction. */
	inputs: Input[];
	valid: ValidItem[];
	invalid: ItemIssues[];
	/** Names a field of an item as the user knows it. */
	nameField: LabelOf;
}

/** Reads every item and checks it against the specification, and against the limits of the credential and of the options. */
function checkItems(
	context: IExecuteFunctions,
	credential: SharedCredential,
	options: Options,
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
		limits: parseLimits(credential).limits,
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

/** The value of the choice that n8n adds to the lists of each node whose credential it can use for other requests. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** Says where to make a custom API call. The editor says so in a notice, but lets the node be executed all the same. */
function rejectCustomApiCall(context: IExecuteFunctions): void {
	const resource = context.getNodeParameter('resource', 0);
	// Stryker disable next-line StringLiteral: any other text is no custom API call either
	const operation = context.getNodeParameter('operation', 0, '');
	if (resource !== CUSTOM_API_CALL && operation !== CUSTOM_API_CALL) return;
	throw operationError(context.getNode(), {
		message: "This node can't make a custom API call",
		description:
			"Use the HTTP Request node with this credential: set 'Authentication' to 'Predefined Credential Type', and select 'Payments API'.\nTo create transactions with this node, set 'Resource' to 'Transaction' and 'Operation' to 'Create'. Nothing was sent.",
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

/** Identifies the node in its execution. n8n gives every execution an ID, which its type leaves open for runs without a server. */
const executionKey = (context: IExecuteFunctions) =>
	JSON.stringify([context.getExecutionId() ?? randomUUID(), context.getNode().id]);

const transactionsOf = (items: ValidItem[]) => items.map(({ transaction }) => transaction);

/** Whether the service certainly hasn't recorded the transaction: it was not begun, not sent, or rejected. */
const isNotRecorded = (result: SendResult | undefined) =>
	result === undefined || result.outcome === 'notSent' || result.outcome === 'rejected';

function addSummary(context: IExecuteFunctions, outcomes: ItemOutcome[]): void {
	const needsAttention = outcomes.some(
		({ outcome }) => outcome !== 'created' && outcome !== 'duplicate',
	);
	context.addExecutionHints({
		message: summarize(outcomes),
		type: needsAttention ? 'warning' : 'info',
		location: 'outputPane',
	});
}

/**
 * Sends the valid items.
 *
 * @param stopsAt whether nothing new is to be begun after this result
 * @returns the results by the indexes of their items; those not begun are missing
 */
async function sendAll(
	context: IExecuteFunctions,
	credential: SharedCredential,
	valid: ValidItem[],
	options: Options,
	stopsAt: (result: SendResult) => boolean,
): Promise<Map<number, SendResult>> {
	const send = await createTransactionClient(context, credential, {
		timeout: options.timeout * 1000,
		maxRetryTime: options.maxRetryTime * 1000,
		retryUnknownOutcome: options.retryUnknownOutcome,
		maxConcurrentRequests: options.maxConcurrentRequests,
		stopsAt,
	});
	const results = new Map<number, SendResult>();
	const work = async ({ transaction, itemIndex }: ValidItem) => {
		const result = await send(transaction);
		if (result) results.set(itemIndex, result);
	};
	// The first of a long list goes alone: if the stored token has expired, one request finds out instead of all that are allowed at once.
	const first = valid.length > INITIAL_LIMIT ? 1 : 0;
	await forEachConcurrent(valid.slice(0, first), 1, work);
	await forEachConcurrent(valid.slice(first), MAX_CONCURRENT_REQUESTS, work);
	return results;
}
