import {
	NodeOperationError,
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { parseLimits } from '../../shared/limits/transactionLimits';
import { CREDENTIAL, type SharedCredential } from '../transport/request';
import { responseFields } from '../transport/responseBody';
import { isSuccess, type SendResult, type SendFailure } from '../transport/outcome';
import { forEachConcurrent } from '../transport/forEachConcurrent';
import { createTransactionClient } from '../transport/transactionClient';
import { readOptions, type Options } from './options';
import { inputReader } from './input';
import { validateItems, type CheckedItem } from './validateItems';
import { describeProblems, describeStop } from './messages';
import type { Transaction } from './validate';

type Valid = Extract<CheckedItem, { transaction: Transaction }>;

/**
 * Transaction → Create: every item is checked, then sent (service interface, section 4.2).
 * One output for each input, paired and in order. Without Continue On Fail nothing is sent unless all items are good, and the first that
 * does not go through stops what has not begun.
 */
export async function createTransactions(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const { value: options, problem } = readOptions(this.getNodeParameter('options', 0, {}));
	if (problem !== undefined) throw new NodeOperationError(this.getNode(), problem);
	const goesOn = this.continueOnFail();
	const items = this.getInputData();
	const readInput = inputReader(this);
	const credential = await this.getCredentials<SharedCredential>(CREDENTIAL, 0);
	const rules = {
		now: Date.now(),
		timeZone: this.getTimezone(),
		skipDecimalsCheck: options.skipDecimalsCheck,
		allowZeroAmounts: options.allowZeroAmounts,
		limits: parseLimits(credential).limits,
	};
	const checked = validateItems(
		items.map((_, index) => readInput(index)),
		rules,
	);

	const invalid = checked.flatMap((item, itemIndex) =>
		item.problems ? [{ itemIndex, problems: item.problems }] : [],
	);
	if (invalid.length > 0 && !goesOn) {
		const { message, description } = describeProblems(invalid, items.length);
		throw new NodeOperationError(this.getNode(), message, {
			description,
			itemIndex: invalid[0].itemIndex,
		});
	}

	const output = new Array<INodeExecutionData>(items.length);
	const settle = (itemIndex: number, json: object) => {
		output[itemIndex] = { json: json as IDataObject, pairedItem: { item: itemIndex } };
	};
	// First, where a table shows it; and again, because what follows may have a member of that name.
	const success = (outcome: string, json: object) => Object.assign({ outcome }, json, { outcome });
	for (const { itemIndex, problems } of invalid) {
		const { message } = describeProblems([{ itemIndex, problems }], items.length);
		settle(itemIndex, failure({ message, outcome: 'invalid', problems }));
	}
	const valid = checked.flatMap((item, itemIndex) =>
		item.transaction ? [{ ...item, itemIndex }] : [],
	);

	if (options.dryRun) {
		for (const { transaction, itemIndex } of valid)
			settle(itemIndex, success('dryRun', transaction));
		return [output];
	}

	const fates = await sendAll.call(this, credential, valid, options, goesOn);
	const failed = valid.filter(({ itemIndex }) => fates[itemIndex] && !isSuccess(fates[itemIndex]));
	if (failed.length > 0 && !goesOn) {
		const [{ itemIndex, transaction }] = failed;
		const { message, description } = describeStop(fates, {
			itemIndex,
			transaction,
			total: items.length,
		});
		throw new NodeOperationError(this.getNode(), message, { description, itemIndex });
	}
	for (const { itemIndex, transaction } of valid) {
		const fate = fates[itemIndex];
		// Cancelled before it was begun: the run ends, and nobody reads this output.
		if (!fate) continue;
		const statusCode =
			options.includeStatusCode && fate.status !== undefined ? { statusCode: fate.status } : {};
		if (isSuccess(fate))
			settle(
				itemIndex,
				success(fate.outcome, {
					...transaction,
					...responseFields(fate.body),
					...statusCode,
					...(fate.outcome === 'duplicate' && { duplicate: true }),
				}),
			);
		else settle(itemIndex, failure(failureMembers(fate, transaction)));
	}
	return [output.filter(Boolean)];
}

/** n8n sends an item to the error output when `error` is all that it carries, so what is known stands inside. */
const failure = (error: object) => ({ error });

const failureMembers = (
	{ message, remedy, outcome, status, errorCode, warnings = [] }: SendFailure,
	{ eventId, externalId }: Transaction,
) => ({
	message: `${message}. ${remedy}`,
	outcome,
	eventId,
	externalId,
	...(status !== undefined && { statusCode: status }),
	...(errorCode && { errorCode }),
	...(warnings.length > 0 && { warnings }),
});

/** Sends what is good; the place of each fate is its item's index. */
async function sendAll(
	this: IExecuteFunctions,
	credential: SharedCredential,
	valid: Array<Valid & { itemIndex: number }>,
	options: Options,
	goesOn: boolean,
): Promise<SendResult[]> {
	const send = await createTransactionClient(this, credential, {
		timeout: options.timeout * 1000,
		maxRetryTime: options.maxRetryTime * 1000,
		retryUnknownOutcome: options.retryUnknownOutcome,
	});
	const cancelSignal = this.getExecutionCancelSignal();
	const fates: SendResult[] = [];
	let stopped = false;
	const work = async ({ transaction, itemIndex }: Valid & { itemIndex: number }) => {
		const fate = takeExisting(await send(transaction), options);
		fates[itemIndex] = fate;
		stopped ||= !goesOn && !isSuccess(fate);
	};
	const doing = {
		work,
		stop: () => stopped || cancelSignal?.aborted === true,
		pause: async () => await sleep(0),
	};
	// The first goes alone: if the stored token has expired, one request finds out instead of all that are allowed at once.
	await forEachConcurrent(valid.slice(0, 1), 1, doing);
	await forEachConcurrent(valid.slice(1), options.maxConcurrentRequests, doing);
	return fates;
}

/** 409 says that the service has recorded this event before (public practice, Answers of the API). */
function takeExisting(fate: SendResult, { onDuplicate }: Options): SendResult {
	if (isSuccess(fate) || fate.status !== 409 || onDuplicate === 'stop') return fate;
	return { outcome: 'duplicate', status: 409, body: undefined };
}
