import { createHash } from 'crypto';

import { BoundedMap } from '../../shared/BoundedMap';
import { isObject } from '../../shared/values';
import type { CreatedResult, SendFailure, SendResult, Transaction } from '../Transaction';
import type { FailedAttempt } from './attempt';
import { duplicate, eventIdReused, mostUncertain } from './outcome';
import type { ErrorBody } from './response/responseBody';

/** One run of the node in an execution. */
export interface Run {
	/** Identifies the node in its execution. */
	execution: string;
	/** Number of the run in its execution. All tries of *Retry On Fail* have the same number. */
	index: number;
}

/** What an execution knows about an event that the service may have recorded. */
interface SentEvent {
	/** Hash of the content. */
	fingerprint: string;
	/** Which run of the node sent it. */
	runIndex: number;
	/** The result, missing if the outcome is unknown. */
	created?: CreatedResult;
	/** The failed attempt most likely to have recorded it. */
	earlier?: SendFailure;
}

/**
 * The events that the executions of this process may have recorded. With *Retry On Fail*, n8n runs
 * the node again with all items, and the service answers 409 for those that the first try created.
 * For an event that is forgotten, a 409 means that it was recorded before the execution.
 */
const sentEvents = new BoundedMap<string, SentEvent>({ maxSize: 10_000, maxAgeMs: 3_600_000 });

/** What this execution knows of one event from its own attempts to send it. */
export class EventHistory {
	private readonly key: string;

	private readonly fingerprint: string;

	/** What the execution sent with this Event ID before, in whichever run of the node. */
	private readonly before: SentEvent | undefined;

	/** The same transaction in an earlier try of this run (*Retry On Fail*). */
	private readonly inThisRun: SentEvent | undefined;

	/** Whether an attempt of this run may have recorded the transaction. */
	private mayBeRecorded: boolean;

	/** The failed attempt most likely to have recorded it. */
	earlier: SendFailure | undefined;

	constructor(
		private readonly run: Run,
		transaction: Transaction,
	) {
		this.key = keyOf(run.execution, transaction.eventId);
		this.fingerprint = fingerprintOf(transaction);
		this.before = sentEvents.get(this.key);
		const isSameRun = this.before?.runIndex === run.index;
		this.inThisRun = isSameRun && this.hasSameContent ? this.before : undefined;
		this.mayBeRecorded = this.inThisRun !== undefined;
		this.earlier = this.inThisRun?.earlier;
	}

	/** What the service answered to an earlier try of this run. */
	get createdInThisRun(): CreatedResult | undefined {
		return this.inThisRun?.created;
	}

	setCreated(created: CreatedResult): void {
		this.remember({ created: { ...created, body: plainMembers(created.body) } });
	}

	addFailure({ mayBeRecorded, result }: FailedAttempt): void {
		this.earlier = mostUncertain(this.earlier, result);
		if (!mayBeRecorded) return;
		this.mayBeRecorded = true;
		// What was created with another content stays known, because it explains a 409 response.
		if (!this.before?.created) this.remember({ earlier: this.earlier });
	}

	/** The result of a 409 response: the service has recorded the event. */
	settleConflict({ status, error }: { status: number; error: ErrorBody }): SendResult {
		return this.before?.created && !this.hasSameContent
			? eventIdReused(status, error)
			: duplicate(status, error, this.mayBeRecorded);
	}

	private get hasSameContent(): boolean {
		return this.before?.fingerprint === this.fingerprint;
	}

	private remember(known: Pick<SentEvent, 'created' | 'earlier'>): void {
		const { fingerprint, run } = this;
		sentEvents.set(this.key, { fingerprint, runIndex: run.index, ...known });
	}
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64');

const keyOf = (execution: string, eventId: string): string =>
	hash(JSON.stringify([execution, eventId]));

/**
 * Hashes a transaction without its timestamps. If the user leaves them empty, they are the current
 * time, which differs when n8n runs the node again.
 */
const fingerprintOf = (transaction: Transaction): string =>
	hash(JSON.stringify({ ...transaction, externalCreatedAt: 0, receivedAt: 0 }));

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
