import { createHash } from 'crypto';

import type { Transaction } from '../Transaction';
import type { FailedAttempt } from './attempt';
import {
	duplicate,
	eventIdReused,
	leastCertain,
	type CreatedResult,
	type SendFailure,
	type SendResult,
} from './outcome';
import type { ErrorBody } from './responseBody';
import type { SentEvent, SentEvents } from './sentEvents';

/** One run of the node in an execution. */
export interface Run {
	/** Identifies the node in its execution. */
	execution: string;
	/** Counts the runs of the node in its execution, as n8n does; a try of *Retry On Fail* has the same number. */
	index: number;
}

/** What this execution knows of one event from its own attempts to send it. */
export class EventHistory {
	private readonly fingerprint: string;
	private readonly before: SentEvent | undefined;
	private readonly sameContent: SentEvent | undefined;
	/** Whether the service may have recorded the transaction because of an attempt of this execution. */
	private mayBeRecorded: boolean;
	/** The least certain of the attempts that failed. */
	earlier: SendFailure | undefined;

	/** @param run `undefined` to remember nothing beyond this object */
	constructor(
		private readonly memory: SentEvents,
		private readonly run: Run | undefined,
		private readonly transaction: Transaction,
	) {
		this.fingerprint = fingerprintOf(transaction);
		this.before = run && memory.get(run.execution, transaction.eventId);
		this.sameContent = this.before?.fingerprint === this.fingerprint ? this.before : undefined;
		this.mayBeRecorded = this.sameContent !== undefined;
		this.earlier = this.sameContent?.earlier;
	}

	/** What the service answered to an earlier try of the same run. */
	get createdInThisRun(): CreatedResult | undefined {
		return this.sameContent?.runIndex === this.run?.index ? this.sameContent?.created : undefined;
	}

	setCreated(created: CreatedResult): void {
		this.remember({ created });
	}

	addFailure({ mayBeRecorded, result }: FailedAttempt): void {
		this.earlier = leastCertain(this.earlier, result);
		if (!mayBeRecorded) return;
		this.mayBeRecorded = true;
		// What was created with another content stays known, because it explains a 409 response.
		if (!this.before?.created) this.remember({ earlier: this.earlier });
	}

	/** The service has recorded the event: because of this execution, or before it. */
	settleConflict({ status, error }: { status: number; error: ErrorBody }): SendResult {
		const otherContentCreated = this.before?.created && !this.sameContent;
		return otherContentCreated
			? eventIdReused(status, error)
			: duplicate(status, error, this.mayBeRecorded);
	}

	private remember(known: Pick<SentEvent, 'created' | 'earlier'>): void {
		if (!this.run) return;
		const event = { fingerprint: this.fingerprint, runIndex: this.run.index, ...known };
		this.memory.set(this.run.execution, this.transaction.eventId, event);
	}
}

/**
 * The content of a transaction without its timestamps, which are the current time when the user leaves them empty, and so differ when n8n
 * runs the node again.
 */
const fingerprintOf = (transaction: Transaction): string =>
	createHash('sha1')
		.update(JSON.stringify({ ...transaction, externalCreatedAt: 0, receivedAt: 0 }))
		.digest('base64');
