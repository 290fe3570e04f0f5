import { createHash } from 'crypto';

import { BoundedMap } from '../../shared/BoundedMap';
import { isObject } from '../../shared/values';
import type { CreatedResult, SendFailure, SendResult } from '../results';
import type { Transaction } from '../Transaction';
import { duplicate, eventIdReused, mostUncertain } from './outcome';
import type { ErrorBody } from './response/responseBody';

/**
 * One run of the node. In a loop, an execution runs a node several times. With *Retry On Fail*, n8n
 * tries a run several times.
 */
export interface Run {
	/** Identifies the node and the execution. */
	nodeInExecution: string;
	/** Number of the run in its execution. All tries of a run have the same number. */
	index: number;
}

/** What an execution knows of a transaction that it sent, and that may be recorded. */
interface SentTransaction {
	/** Hash of the content. */
	fingerprint: string;
	runIndex: number;
	/** Missing if the outcome is unknown. */
	created?: CreatedResult;
	/** The failed attempt most likely to have recorded it. */
	failure?: SendFailure;
}

/**
 * The transactions that the executions of this process sent, and that may be recorded, by execution
 * and Event ID. With *Retry On Fail*, n8n runs the node again with all items, and the service
 * answers 409 for those that the first try created. For a transaction that is forgotten, a 409
 * means that it was recorded before the execution.
 */
const sentTransactions = new BoundedMap<string, SentTransaction>({
	maxSize: 10_000,
	maxAgeMs: 3_600_000,
});

/** What this execution knows of one transaction from its own attempts to send it. */
export class TransactionHistory {
	private readonly key: string;

	private readonly fingerprint: string;

	/** What the execution sent with this Event ID before, in whichever run of the node. */
	private readonly sentBefore: SentTransaction | undefined;

	/** The same transaction in an earlier try of this run. */
	private readonly sentByEarlierTry: SentTransaction | undefined;

	/** Whether an attempt of this run may have recorded the transaction. */
	private mayBeRecorded: boolean;

	/** The failed attempt most likely to have recorded it. */
	worstFailure: SendFailure | undefined;

	constructor(
		private readonly run: Run,
		transaction: Transaction,
	) {
		this.key = keyOf(run.nodeInExecution, transaction.eventId);
		this.fingerprint = fingerprintOf(transaction);
		this.sentBefore = sentTransactions.get(this.key);
		const isSameRun = this.sentBefore?.runIndex === run.index;
		this.sentByEarlierTry = isSameRun && this.hasSameContent ? this.sentBefore : undefined;
		this.mayBeRecorded = this.sentByEarlierTry !== undefined;
		this.worstFailure = this.sentByEarlierTry?.failure;
	}

	/** What the service answered to an earlier try of this run. */
	get createdByEarlierTry(): CreatedResult | undefined {
		return this.sentByEarlierTry?.created;
	}

	setCreated(created: CreatedResult): void {
		this.remember({ created: { ...created, body: plainMembers(created.body) } });
	}

	addFailure(failure: SendFailure): void {
		this.worstFailure = mostUncertain(this.worstFailure, failure);
		if (failure.outcome !== 'unknown') return;
		this.mayBeRecorded = true;
		// What was created with another content stays known, because it explains a 409 response.
		if (!this.sentBefore?.created) this.remember({ failure: this.worstFailure });
	}

	/** The result of a 409 response: the service has recorded the event. */
	settleConflict({ status, error }: { status: number; error: ErrorBody }): SendResult {
		return this.sentBefore && !this.hasSameContent
			? eventIdReused(status, error, this.sentBefore.created !== undefined)
			: duplicate(status, error, this.mayBeRecorded);
	}

	private get hasSameContent(): boolean {
		return this.sentBefore?.fingerprint === this.fingerprint;
	}

	private remember(known: Pick<SentTransaction, 'created' | 'failure'>): void {
		const { fingerprint, run } = this;
		sentTransactions.set(this.key, { fingerprint, runIndex: run.index, ...known });
	}
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64');

const keyOf = (nodeInExecution: string, eventId: string): string =>
	hash(JSON.stringify([nodeInExecution, eventId]));

/**
 * Hashes a transaction without what may differ when n8n sends the same payment again: timestamps,
 * which are the current time if the user leaves them empty, and the amount at an exchange rate.
 */
const fingerprintOf = (transaction: Transaction): string =>
	hash(JSON.stringify({ ...transaction, externalCreatedAt: 0, receivedAt: 0, baseAmount: 0 }));

/** Longer members of a response aren't kept for another try of the node. */
const MAX_TEXT_LENGTH = 500;

/**
 * Keeps only the ID, status, and the like of a response, because thousands would fill the memory.
 */
function plainMembers(body: unknown): unknown {
	if (!isObject(body)) return undefined;
	const isShort = (value: unknown) =>
		typeof value === 'string'
			? value.length <= MAX_TEXT_LENGTH
			: typeof value === 'number' || typeof value === 'boolean';
	return Object.fromEntries(Object.entries(body).filter(([, value]) => isShort(value)));
}
