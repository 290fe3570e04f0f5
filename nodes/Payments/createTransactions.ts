import { randomUUID } from 'crypto';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { parseCredentialLimits, type CredentialLimits } from '../shared/limits/credentialLimits';
import type { Result } from '../shared/result';
import { checkOptions, displayNameOfOption, readOptions, type Options } from './editor/options';
import { readOutputSettings } from './editor/outputParameters';
import { explainEmptyFields } from './input/emptyFields';
import { readForAllItems } from './input/forAllItems';
import { readInputs } from './input/readInput';
import { labelExecution } from './output/labelExecution';
import { labelOf } from './output/labels';
import { describeInvalidItems, type InvalidItem } from './output/messages';
import { operationError } from './output/operationError';
import { Output } from './output/Output';
import { isSuccess, type OutputSettings, type SendResult } from './results';
import { CREDENTIAL, type SharedCredential } from './sending/request';
import { sendTransactions } from './sending/sendTransactions';
import type { TransactionItem } from './Transaction';
import { applyOptionLimits, type ExecutionTotals } from './validation/optionLimits';
import { TotalsMemory } from './validation/totalsMemory';
import { validateItems } from './validation/validateItems';

/** What the executions of this process have sent, for the option Max Total per Execution. */
const totals = new TotalsMemory();

/**
 * Transaction → Create: checks every item, then sends them (service interface, section 4.2).
 *
 * @returns one item for each input item, paired and in order
 * @throws NodeOperationError unless the node continues on fail: before anything is sent if an item
 *   is invalid, and for the first item that the service doesn't accept
 */
export async function createTransactions(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	throwIfCustomApiCall(this);
	const settings = readSettings(this);
	const credential = await this.getCredentials<SharedCredential>(CREDENTIAL, 0);
	const nodeInExecution = identifyNode(this);
	const { valid, invalid } = checkItems(this, credential, settings, totals.of(nodeInExecution));
	throwIfInvalid(this, invalid, settings);
	const output = new Output(this, settings);
	output.addInvalid(invalid);
	if (settings.dryRun) output.addDryRun(valid);
	else {
		labelExecution(this, transactionsOf(valid));
		output.addResults(valid, await sendAll(this, credential, valid, settings, nodeInExecution));
	}
	return [output.items];
}

/**
 * The value that n8n adds to the resources and operations of a node whose credential it can use.
 */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/**
 * The editor explains a custom API call in a notice, but lets users execute the node all the same.
 */
function throwIfCustomApiCall(context: IExecuteFunctions): void {
	const resource = context.getNodeParameter('resource', 0);
	const operation = context.getNodeParameter('operation', 0, '');
	if (resource !== CUSTOM_API_CALL && operation !== CUSTOM_API_CALL) return;
	throw operationError(context.getNode(), {
		message: "This node can't make a custom API call",
		fix: "Use the HTTP Request node with this credential: set 'Authentication' to 'Predefined Credential Type', and select 'Payments API'. That works with a credential that has no limits.\nTo create transactions with this node, set 'Resource' to 'Transaction' and 'Operation' to 'Create'. Nothing was sent.",
	});
}

/** What the user set, for all items. */
interface Settings extends Options {
	continueOnFail: boolean;
	output: OutputSettings;
}

/** A second try of the node can't tell what the first one recorded from what was there before. */
const RETRY_STOPS_AT_DUPLICATES = {
	message: "'On Duplicate' can't stop at duplicates while the node's setting 'Retry On Fail' is on",
	fix: "A second try finds the items that the first one recorded, and would stop at them. Turn off 'Retry On Fail' (the option 'Max Retry Time' retries each item), or set 'On Duplicate' to Continue. Nothing was sent.",
};

/** @throws NodeOperationError if an option has a value that it can't have */
function readSettings(context: IExecuteFunctions): Settings {
	const { value: options, problem } = optionsForAllItems(context);
	if (problem) throw operationError(context.getNode(), problem);
	if (options.onDuplicate === 'stop' && context.getNode().retryOnFail === true)
		throw operationError(context.getNode(), RETRY_STOPS_AT_DUPLICATES);
	return {
		...options,
		continueOnFail: context.continueOnFail() || isTool(context),
		output: readOutputSettings(context, false),
	};
}

function optionsForAllItems(context: IExecuteFunctions): Result<Options> {
	const raw = context.getNodeParameter('options', 0, {}, { rawExpressions: true });
	const checked = checkOptions(raw);
	if (checked.problem) return checked;
	const given = readForAllItems(context, checked.value, displayNameOfOption);
	return given.problem ? given : readOptions(given.value);
}

/**
 * Says whether the node runs as the tool of an agent. n8n adds "Tool" to its type. What a
 * tool throws reaches the model as little or no text, so a tool always returns an item.
 */
const isTool = (context: IExecuteFunctions): boolean => context.getNode().type.endsWith('Tool');

/** Identifies the node and its execution. Without a server, n8n has no execution ID. */
const identifyNode = (context: IExecuteFunctions): string =>
	JSON.stringify([context.getExecutionId() ?? randomUUID(), context.getNode().id]);

interface CheckedItems {
	valid: TransactionItem[];
	invalid: InvalidItem[];
}

/**
 * Reads every item, and checks it against the service interface, the limits of the credential, and
 * those of the options.
 */
function checkItems(
	context: IExecuteFunctions,
	credential: SharedCredential,
	settings: Settings,
	sentBefore: ExecutionTotals,
): CheckedItems {
	const inputs = readInputs(context);
	const validated = validateItems(inputs, {
		now: Date.now(),
		timeZone: context.getTimezone(),
		decimalSeparator: settings.decimalSeparator,
		limits: readCredentialLimits(context, credential),
	});
	const checked: CheckedItems = { valid: [], invalid: [] };
	for (const [itemIndex, result] of applyOptionLimits(validated, settings, sentBefore).entries()) {
		const input = inputs[itemIndex];
		if (result.transaction) {
			checked.valid.push({ itemIndex, transaction: result.transaction });
		} else {
			const problems = explainEmptyFields(result.problems, input).map((problem) => ({
				...problem,
				label: labelOf(problem.field, input.columnByField?.get(problem.field)),
			}));
			checked.invalid.push({ itemIndex, input: input.values, problems });
		}
	}
	return checked;
}

/** @throws NodeOperationError if the limits of the credential can't be read */
function readCredentialLimits(
	context: IExecuteFunctions,
	credential: SharedCredential,
): CredentialLimits | undefined {
	const { value, problem } = parseCredentialLimits(credential);
	if (problem) throw operationError(context.getNode(), problem);
	return value;
}

/** @throws NodeOperationError if an item is invalid, unless the node continues on fail */
function throwIfInvalid(
	context: IExecuteFunctions,
	invalid: InvalidItem[],
	{ continueOnFail }: Settings,
): void {
	if (invalid.length === 0 || continueOnFail) return;
	const problem = describeInvalidItems(invalid, context.getInputData().length);
	throw operationError(context.getNode(), problem, invalid[0].itemIndex);
}

/** Sends the valid items. What may have been recorded counts for Max Total per Execution. */
async function sendAll(
	context: IExecuteFunctions,
	credential: SharedCredential,
	items: TransactionItem[],
	settings: Settings,
	nodeInExecution: string,
): Promise<Map<number, SendResult>> {
	// Without a limit, counting only costs memory.
	const counted = settings.maxTotal.size > 0 ? totals : undefined;
	// Before any await, so that concurrent calls of an agent can't exceed the limit together.
	counted?.add(nodeInExecution, transactionsOf(items));
	const results = await sendTransactions(context, credential, items, {
		timeout: Math.ceil(settings.timeout * 1000),
		maxRetryTime: settings.maxRetryTime * 1000,
		maxConcurrentRequests: settings.maxConcurrentRequests,
		maxRequestsPerSecond: settings.maxRequestsPerSecond,
		retryUnknownOutcome: settings.retryUnknownOutcome,
		stopsAt: (result) => !settings.continueOnFail && !isSuccess(result, settings.onDuplicate),
	});
	const notRecorded = items.filter(({ itemIndex }) => isNotRecorded(results.get(itemIndex)));
	counted?.remove(nodeInExecution, transactionsOf(notRecorded));
	return results;
}

const transactionsOf = (items: TransactionItem[]) => items.map(({ transaction }) => transaction);

/** Whether the transaction is certainly not recorded: it was not begun, not sent, or rejected. */
const isNotRecorded = (result: SendResult | undefined) =>
	result === undefined || result.outcome === 'notSent' || result.outcome === 'rejected';
