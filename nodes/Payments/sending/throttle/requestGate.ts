import type { Throttle, Feedback } from './throttle';

/** Starting all requests in one tick delays the first. Yield to the event loop after so many. */
const STARTS_PER_TICK = 12;

export interface Clock {
	/** ms since the epoch. */
	now(): number;
	/** Resolves after so many ms, or earlier when the execution is canceled. */
	sleep(ms: number): Promise<void>;
}

/** What a request asks for when it wants to start. */
export interface Turn {
	/** Retries start before requests that were not sent yet. */
	isRetry: boolean;
	/** ms that it may wait because the service asked all requests to wait. */
	maxPauseMs: number;
	/** Called just before the request would start. */
	isWanted: () => boolean;
}

/** Why a request did not start. */
type NotAdmitted =
	| { kind: 'unwanted' }
	/** The service asked all requests to wait longer than this one may. */
	| { kind: 'paused'; pauseMs: number };

/** What came of waiting for a turn. */
type Admission = { kind: 'admitted'; startedAt: number } | NotAdmitted;

interface Waiter extends Turn {
	resolve: (admission: Admission) => void;
}

/**
 * Lets requests start as the throttle allows: retries first, otherwise first come, first served.
 */
export class RequestGate {
	private readonly retries: Waiter[] = [];

	private readonly others: Waiter[] = [];

	private inFlight = 0;

	private startedCount = 0;

	private isAdmitting = false;

	constructor(
		private readonly throttle: Throttle,
		private readonly clock: Clock,
	) {}

	/**
	 * Waits for a turn, and runs a request in it.
	 *
	 * @param request returns, among others, what it says about the service's capacity
	 * @returns what the request returned, or why it did not start
	 */
	async run<T extends { feedback: Feedback }>(
		turn: Turn,
		request: () => Promise<T>,
	): Promise<({ kind: 'done' } & T) | NotAdmitted> {
		const admission = await this.waitForTurn(turn);
		if (admission.kind !== 'admitted') return admission;
		let feedback: Feedback = { kind: 'unused' };
		try {
			const done = await request();
			feedback = done.feedback;
			return { kind: 'done', ...done };
		} finally {
			this.inFlight--;
			this.throttle.finished(feedback, admission.startedAt, this.clock.now());
			void this.admitWaiters();
		}
	}

	private async waitForTurn(turn: Turn): Promise<Admission> {
		return await new Promise((resolve) => {
			const queue = turn.isRetry ? this.retries : this.others;
			queue.push({ ...turn, resolve });
			void this.admitWaiters();
		});
	}

	private async admitWaiters(): Promise<void> {
		this.dismissDuringPause();
		if (this.isAdmitting) return;
		this.isAdmitting = true;
		for (let next = this.next(); next && this.inFlight < this.throttle.limit; next = this.next()) {
			const delay = this.throttle.delay(this.clock.now());
			if (!next.isWanted()) this.shift().resolve({ kind: 'unwanted' });
			else if (delay > 0) await this.clock.sleep(delay);
			else await this.admit(this.shift());
			this.dismissDuringPause();
		}
		this.isAdmitting = false;
	}

	private next(): Waiter | undefined {
		return this.retries.at(0) ?? this.others.at(0);
	}

	private shift(): Waiter {
		return (this.retries.shift() ?? this.others.shift())!;
	}

	private async admit(waiter: Waiter): Promise<void> {
		const startedAt = this.clock.now();
		this.inFlight++;
		this.throttle.started(startedAt);
		waiter.resolve({ kind: 'admitted', startedAt });
		this.startedCount++;
		if (this.startedCount % STARTS_PER_TICK === 0) await this.clock.sleep(0);
	}

	/** While the service asks to wait, dismisses waiters that can't, or are no longer wanted. */
	private dismissDuringPause(): void {
		const pauseMs = this.throttle.pausedUntil - this.clock.now();
		if (pauseMs <= 0) return;
		for (const queue of [this.retries, this.others]) {
			for (const waiter of queue.splice(0)) {
				if (!waiter.isWanted()) waiter.resolve({ kind: 'unwanted' });
				else if (pauseMs > waiter.maxPauseMs) waiter.resolve({ kind: 'paused', pauseMs });
				else queue.push(waiter);
			}
		}
	}
}
