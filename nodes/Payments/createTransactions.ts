import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { transactionsUrl } from '../shared/serviceUrl';
import { findClientProblem } from '../shared/token/tokenRequest';

import { explainEmptyFields, readItems } from './input/readItems';
import { parseCredentialLimits, type CredentialLimits } from './limits/credentialLimits';
import { MAX_CONCURRENT_REQUESTS, readOptions, type Options } from './options';
import { labelExecution } from './output/labelExecution';
import type { InvalidItem } from './output/messages';
import type { PaymentFields } from './output/outputItems';
import { operationError } from './output/operationError';
import { Output } from './output/Output';
import { parseRecordedCodes, type StatedEntry } from './recordedCodes';
import { isSuccess, type SendResult } from './results';
import { readCredential } from './readCredential';
import type { SharedCredential } from './sending/request';
import { sendTransactions } from './sending/sendTransactions';
import { TotalsMemory } from './totalsMemory';
import type { RawTransaction, TransactionItem } from './Transaction';
import { applyOptionLimits, type ExecutionTotals } from './validation/limits';
import { validateItems } from './validation/validateItems';

/** What the executions of this process have sent, for the option Max Total per Execution. */
const totals = new TotalsMemory();

/**
 * Transaction → Create: checks every item, then sends them (docs/interface.md, 4.2).
 *
 * @returns one item for each input item, paired and in order
 * @throws NodeOperationError unless the node continues on fail: before anything is sent if
 *   something is wrong, and for the first item that the service doesn't accept
 */
export async function createTransactions(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const isTool = isToolOfAgent(this);
	if (isTool && this.getNode().onError === 'continueErrorOutput')
		throw operationError(this.getNode(), TOOL_WITH_ERROR_OUTPUT);
	const continueOnFail = this.continueOnFail() || isTool;
	const output = new Output(this, { continueOnFail, isTool });
	const nodeInExecution = identifyNode(this);
	let items: RawTransaction[] = [];
	let run: CheckedRun;
	try {
		throwIfCustomApiCall(this);
		// First, so that what can't be sent is named by its External ID.
		items = readRawTransactions(this);
		const options = readUsableOptions(this);
		const { value: credential, problem } = await readCredential(this);
		if (problem) throw operationError(this.getNode(), problem);
		const url = readAddress(this, credential);
		const recordedCodes = parseRecordedCodes(credential.recordedCodes);
		if (recordedCodes.problem) throw operationError(this.getNode(), recordedCodes.problem);
		// No await from here until the transactions count, so that concurrent calls of an agent can't
		// exceed Max Total per Execution together.
		const rules = { credential, options, sentBefore: totals.of(nodeInExecution) };
		const { valid, invalid } = checkItems(this, items, rules);
		output.addInvalid(invalid);
		run = { url, options, credential, recordedCodes: recordedCodes.value, valid };
	} catch (error) {
		// Nothing was sent.
		output.addUnusable(error as Error, items.map(fieldsOf));
		return [output.items];
	}
	const { options, valid } = run;
	const { host } = new URL(run.url);
	if (options.dryRun) output.addDryRun(valid, host);
	else {
		labelExecution(this, transactionsOf(valid));
		const stopsAt = continueOnFail
			? undefined
			: (result: SendResult) => !isSuccess(result, options.onDuplicate);
		const results = await sendAll(this, run, nodeInExecution, stopsAt);
		output.addResults(valid, results, { ...options, host });
	}
	return [output.items];
}

/**
 * n8n drops all items of such a tool, recorded or not, so the model would get an empty text
 * (n8n-core: `handleNodeErrorOutput`). Of what a tool throws, the model gets the message alone.
 */
const TOOL_WITH_ERROR_OUTPUT = {
	message:
		"Nothing was sent, because n8n drops the result of a tool with an error output. Set 'On Error' in the settings of the tool to 'Stop Workflow' or 'Continue'",
	fix: "With either of them, the tool returns an item with the reason if the transaction isn't recorded.",
};

/** What can be sent, and how. */
interface CheckedRun {
	/** To which transactions are sent. */
	url: string;
	options: Options;
	credential: SharedCredential;
	recordedCodes: readonly StatedEntry[];
	valid: TransactionItem[];
}

/**
 * Whether the node runs as the tool of an agent. n8n adds "Tool" to its type. What a tool throws
 * reaches the model as little or no text, so a tool always returns an item.
 */
const isToolOfAgent = (context: IExecuteFunctions): boolean =>
	context.getNode().type.endsWith('Tool');

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
		fix: "Use the HTTP Request node with n8n's 'OAuth2 API' credential: no other node can use this one.\nTo create transactions with this node, set 'Resource' to 'Transaction' and 'Operation' to 'Create'. Nothing was sent.",
	});
}

/** A second try of the node can't tell what the first one recorded from what was there before. */
const RETRY_STOPS_AT_DUPLICATES = {
	message: "'On Duplicate' can't stop at duplicates while the node's setting 'Retry On Fail' is on",
	fix: "A second try finds the items that the first one recorded, and would stop at them. Turn off 'Retry On Fail' (the option 'Max Retry Time' retries each item), or set 'On Duplicate' to Continue. Nothing was sent.",
};

/**
 * n8n's Agents run a tool without an execution ID, and as another node in each call
 * (`EphemeralNodeExecutor`), so each call would have a sum of its own.
 */
const NO_EXECUTION_TO_COUNT = {
	message:
		"The option 'Max Total per Execution' can't be used here, because n8n's Agents call the tool without an execution whose transactions could be added up",
	fix: "Remove the option. Set 'Max Amount', and the limits of the credential, and let a person approve each call. Nothing was sent.",
};

/** @throws NodeOperationError if an option can't be used */
function readUsableOptions(context: IExecuteFunctions): Options {
	const { value, problem } = readOptions(context);
	if (problem) throw operationError(context.getNode(), problem);
	if (value.onDuplicate === 'stop' && context.getNode().retryOnFail === true)
		throw operationError(context.getNode(), RETRY_STOPS_AT_DUPLICATES);
	if (value.maxTotal.size > 0 && !context.getExecutionId())
		throw operationError(context.getNode(), NO_EXECUTION_TO_COUNT);
	return value;
}

const CORRECT_CREDENTIAL = 'Open the credential, correct it and test it. Nothing was sent.';

/**
 * Returns the URL to which transactions are sent.
 *
 * @throws NodeOperationError if the credential lacks what every request needs
 */
function readAddress(context: IExecuteFunctions, credential: SharedCredential): string {
	const { value: url, problem } = transactionsUrl(credential);
	const { message, fix } = problem ?? findClientProblem(credential) ?? {};
	if (message === undefined) return url!;
	throw operationError(context.getNode(), { message, fix: `${fix} ${CORRECT_CREDENTIAL}` });
}

/** Identifies the node and its execution. */
const identifyNode = (context: IExecuteFunctions): string =>
	JSON.stringify([context.getExecutionId(), context.getNode().id]);

interface CheckedItems {
	valid: TransactionItem[];
	invalid: InvalidItem[];
}

/** @throws NodeOperationError if the parameters can't be read for any item */
function readRawTransactions(context: IExecuteFunctions): RawTransaction[] {
	const { value, problem } = readItems(context);
	if (problem) throw operationError(context.getNode(), problem);
	return value;
}

const fieldsOf = ({ values }: RawTransaction): PaymentFields => ({
	...values,
	recipient: values['recipient.externalPaymentChannelId'],
});

/**
 * Checks every item against the service interface, the limits of the credential, and those of the
 * options.
 */
function checkItems(
	context: IExecuteFunctions,
	rawTransactions: RawTransaction[],
	{
		credential,
		options,
		sentBefore,
	}: Pick<CheckedRun, 'credential' | 'options'> & { sentBefore: ExecutionTotals },
): CheckedItems {
	const validated = validateItems(rawTransactions, {
		timeZone: context.getTimezone(),
		decimalSeparator: options.decimalSeparator,
		limits: readCredentialLimits(context, credential),
	});
	const checked: CheckedItems = { valid: [], invalid: [] };
	for (const [itemIndex, result] of applyOptionLimits(validated, options, sentBefore).entries()) {
		const raw = rawTransactions[itemIndex];
		if (result.transaction) {
			checked.valid.push({ itemIndex, transaction: result.transaction });
		} else {
			const problems = explainEmptyFields(result.problems, raw);
			const { columnByField } = raw;
			checked.invalid.push({ itemIndex, problems, columnByField, payment: fieldsOf(raw) });
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

/** Sends the valid items. What may have been recorded counts for Max Total per Execution. */
async function sendAll(
	context: IExecuteFunctions,
	{ url, options, credential, recordedCodes, valid: items }: CheckedRun,
	nodeInExecution: string,
	stopsAt?: (result: SendResult) => boolean,
): Promise<Map<number, SendResult>> {
	// Without a limit, counting only costs memory.
	const counted = options.maxTotal.size > 0 ? totals : undefined;
	const takeBack = counted?.add(nodeInExecution, transactionsOf(items));
	const results = await sendTransactions(context, credential, items, {
		url,
		timeout: options.timeout * 1000,
		maxRetryTime: options.maxRetryTime * 1000,
		maxConcurrentRequests: options.maxConcurrentRequests || MAX_CONCURRENT_REQUESTS,
		maxRequestsPerSecond: options.maxRequestsPerSecond,
		retryUnknownOutcome: options.retryUnknownOutcome,
		recordedCodes,
		stopsAt,
	});
	const notRecorded = items.filter(({ itemIndex }) => isNotRecorded(results.get(itemIndex)));
	takeBack?.(transactionsOf(notRecorded));
	return results;
}

const transactionsOf = (items: TransactionItem[]) => items.map(({ transaction }) => transaction);

/** Whether the transaction is certainly not recorded: it was not begun, not sent, or rejected. */
const isNotRecorded = (result: SendResult | undefined) =>
	result === undefined || result.outcome === 'notSent' || result.outcome === 'rejected';
