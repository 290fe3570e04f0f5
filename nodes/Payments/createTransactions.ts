import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import type { Problem, Result } from '../shared/result';
import { transactionsUrl } from '../shared/serviceUrl';
import { findClientProblem } from '../shared/token/tokenRequest';
import { readItems } from './input/readItems';
import { limitsCheck } from './limits/checkLimits';
import { parseCredentialLimits, type CredentialLimits } from './limits/parseLimits';
import { TotalsMemory } from './limits/totalsMemory';
import { MAX_CONCURRENT_REQUESTS, readOptions, type Options } from './options';
import type { InvalidItem, TransactionFields } from './output/messages';
import { operationError } from './output/operationError';
import { Output } from './output/Output';
import { readCredential } from './readCredential';
import { parseRecordedCodes } from './recordedCodes';
import { isSuccess, type Conclusion, type NotBegun, type SendResult } from './results';
import { sendTransactions } from './sending/sendTransactions';
import { FIELD_TABLE, FIELDS, type RawTransaction, type TransactionItem } from './Transaction';
import { isLocalTime } from './validation/timestamp';
import { validateItems } from './validation/validate';

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
	// n8n adds "Tool" to the type. What the tool of an agent throws reaches the model as little or no
	// text, so it always returns an item.
	const isTool = this.getNode().type.endsWith('Tool');
	if (isTool && this.getNode().onError === 'continueErrorOutput')
		throw operationError(this.getNode(), TOOL_WITH_ERROR_OUTPUT);
	const continueOnFail = this.continueOnFail() || isTool;
	const output = new Output(this, { continueOnFail, isTool });
	let items: RawTransaction[] = [];
	let setup: Setup;
	let checked: CheckedItems;
	try {
		throwIfCustomApiCall(this);
		// First, so that what can't be sent is named by its External ID.
		items = valueOrThrow(this, readItems(this));
		setup = await readSetup(this);
		// No await from here until the transactions count, so that concurrent calls of an agent can't
		// exceed Max Total per Execution together.
		checked = checkItems(this, items, setup);
		output.addInvalid(checked.invalid);
	} catch (error) {
		// Nothing was sent.
		output.addUnusable(error as Error, items.map(fieldsOf));
		return [output.items];
	}
	const { options, url } = setup;
	const { valid, timeZone } = checked;
	const notes = { host: new URL(url).host, timeZone };
	if (options.dryRun) output.addDryRun(valid, options, notes);
	else {
		const stopsAt = (result: Conclusion) => !isSuccess(result, options.onDuplicate);
		const results = await sendAll(this, setup, valid, continueOnFail ? undefined : stopsAt);
		output.addResults(valid, results, options, notes);
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
	fix: "With either of them, the tool returns an item with the reason if the transaction isn't created.",
};

/** Creates the error for what keeps all items here. */
const nothingSent = (context: IExecuteFunctions, { message, fix }: Problem) =>
	operationError(context.getNode(), { message, fix: `${fix} Nothing was sent.` });

/** @throws NodeOperationError if there is a problem */
function valueOrThrow<T>(context: IExecuteFunctions, { value, problem }: Result<T>): T {
	if (problem) throw nothingSent(context, problem);
	return value;
}

/** What n8n adds to the resources and operations of a node whose credential it can use. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** The editor explains it in a notice, but lets users execute the node all the same. */
function throwIfCustomApiCall(context: IExecuteFunctions): void {
	const resource = context.getNodeParameter('resource', 0);
	const operation = context.getNodeParameter('operation', 0, '');
	if (resource !== CUSTOM_API_CALL && operation !== CUSTOM_API_CALL) return;
	throw nothingSent(context, {
		message: "This node can't make a custom API call",
		fix: "Use the HTTP Request node with n8n's 'OAuth2 API' credential: no other node can use this one.\nTo create transactions with this node, set 'Resource' to 'Transaction' and 'Operation' to 'Create'.",
	});
}

/** A second try of the node can't tell what the first one recorded from what was there before. */
const RETRY_STOPS_AT_DUPLICATES = {
	message: "'On Duplicate' can't stop at duplicates while the node's setting 'Retry On Fail' is on",
	fix: "A second try finds the items that the first one recorded, and would stop at them. Turn off 'Retry On Fail' (the option 'Max Retry Time' retries each item), or set 'On Duplicate' to Continue.",
};

/**
 * n8n's Agents run a tool without an execution ID, and as another node in each call
 * (`EphemeralNodeExecutor`), so each call would have a sum of its own.
 */
const NO_EXECUTION_TO_COUNT = {
	message:
		"The option 'Max Total per Execution' can't be used here, because n8n's Agents call the tool without an execution whose transactions could be added up",
	fix: "Remove the option. Set 'Max Amount', and the limits of the credential, and let a person approve each call.",
};

/** How transactions are checked and sent. */
interface Setup {
	options: Options;
	credential: ICredentialDataDecryptedObject;
	/** To which transactions are sent. */
	url: string;
	recordedCodes: readonly string[];
	limits: CredentialLimits;
}

/** @throws NodeOperationError if the options or the credential can't be used */
async function readSetup(context: IExecuteFunctions): Promise<Setup> {
	const options = valueOrThrow(context, readOptions(context));
	const unusable = findUnusableOption(context, options);
	if (unusable) throw nothingSent(context, unusable);
	const credential = valueOrThrow(context, await readCredential(context));
	const url = transactionsUrl(credential);
	const problem = url.problem ?? findClientProblem(credential);
	if (problem) {
		const fix = `${problem.fix} Open the credential, correct it and test it.`;
		throw nothingSent(context, { ...problem, fix });
	}
	return {
		options,
		credential,
		url: url.value!,
		recordedCodes: valueOrThrow(context, parseRecordedCodes(credential.recordedCodes)),
		limits: valueOrThrow(context, parseCredentialLimits(credential)),
	};
}

/** Finds an option that can't be used with the settings of the node, or how n8n runs it. */
function findUnusableOption(context: IExecuteFunctions, options: Options): Problem | undefined {
	if (options.onDuplicate === 'stop' && context.getNode().retryOnFail === true)
		return RETRY_STOPS_AT_DUPLICATES;
	if (options.maxTotal.size > 0 && !context.getExecutionId()) return NO_EXECUTION_TO_COUNT;
	return undefined;
}

interface CheckedItems {
	valid: TransactionItem[];
	invalid: InvalidItem[];
	/** In which dates without an offset were read, if there are any. */
	timeZone?: string;
}

/** Checks every item against the service interface, and all limits. */
function checkItems(
	context: IExecuteFunctions,
	items: RawTransaction[],
	{ options, limits }: Setup,
): CheckedItems {
	const timeZone = context.getTimezone();
	const results = validateItems(items, {
		timeZone,
		decimalSeparator: options.decimalSeparator,
	});
	const findBeyondLimit = limitsCheck(
		{ credential: limits, options },
		totals.of(identifyNode(context)),
	);
	const valid: TransactionItem[] = [];
	const invalid: InvalidItem[] = [];
	for (const [itemIndex, { transaction, problems = [] }] of results.entries()) {
		const beyondLimit = transaction && findBeyondLimit(transaction);
		if (transaction && !beyondLimit) {
			valid.push({ itemIndex, transaction });
			continue;
		}
		const raw = items[itemIndex];
		invalid.push({
			itemIndex,
			problems: beyondLimit ? [beyondLimit] : problems,
			columnByField: raw.columnByField,
			fields: fieldsOf(raw),
		});
	}
	return { valid, invalid, ...(items.some(hasLocalTime) && { timeZone }) };
}

const TIMES = FIELDS.filter((field) => FIELD_TABLE[field].type === 'time');

const hasLocalTime = ({ values }: RawTransaction) =>
	TIMES.some((field) => isLocalTime(values[field]));

const fieldsOf = ({ values }: RawTransaction): TransactionFields => ({
	...values,
	recipientPaymentChannelId: values['recipient.externalPaymentChannelId'],
});

/** Identifies the node and its execution. */
const identifyNode = (context: IExecuteFunctions): string =>
	JSON.stringify([context.getExecutionId(), context.getNode().id]);

const transactionsOf = (items: TransactionItem[]) => items.map(({ transaction }) => transaction);

/** Sends the valid items. What may have been recorded counts for Max Total per Execution. */
async function sendAll(
	context: IExecuteFunctions,
	{ options, credential, url, recordedCodes }: Setup,
	items: TransactionItem[],
	stopsAt?: (result: Conclusion) => boolean,
): Promise<Map<number, SendResult | NotBegun>> {
	// Without a limit, counting only costs memory.
	const counted = options.maxTotal.size > 0 ? totals : undefined;
	const takeBack = counted?.add(identifyNode(context), transactionsOf(items));
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
	const notRecorded = items.filter(({ itemIndex }) =>
		NOT_RECORDED.includes(results.get(itemIndex)!.outcome),
	);
	takeBack?.(transactionsOf(notRecorded));
	return results;
}

/** What is certainly not recorded. */
const NOT_RECORDED = ['notBegun', 'notSent', 'rejected'];
