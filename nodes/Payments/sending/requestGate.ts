import type { ConcurrencyLimit, Feedback } from './concurrencyLimit';

/** How many requests start before the event loop gets a turn. */
const BURST = 12;

export interface Clock {
	/** ms since the epoch. */
	now(): number;
	/** Resolves after so many ms, or earlier when the execution is canceled. */
	sleep(ms: number): Promise<void>;
}

/** What a request asks for when it wants to start. */
export interface EntryRequest {
	/** ms that this request may be held up because the service asked all of them to wait. */
	maxPause: number;
	/** A retry goes before requests that were not sent yet. */
	retry: boolean;
	/** Whether the request is no longer wanted, asked just before it would start. */
	isCanceled: () => boolean;
}

export type Entry =
	| { kind: 'entered'; leave: (feedback: Feedback) => void }
	/** The service asked all requests to wait for so many ms, longer than this one may. */
	| { kind: 'paused'; pause: number }
	| { kind: 'canceled' };

interface Waiting extends EntryRequest {
	resolve: (entry: Entry) => void;
}

/**
 * Lets requests start one after the other, as the limit allows.
 *
 * A request leaves only when the event loop comes round. When all of them start at once, they leave late and together and are answered together, so
 * that the processor and the service wait for each other. Therefore, the loop gets a turn after each burst.
 */
export class RequestGate {
	private readonly waiting: Waiting[] = [];

	private inFlight = 0;

	private started = 0;

	private isOpening = false;

	constructor(
		private readonly limit: ConcurrencyLimit,
		private readonly clock: Clock,
	) {}

	/** Waits for its turn. Whoever enters must leave once, with how the request ended. */
	async enter(request: EntryRequest): Promise<Entry> {
		return await new Promise((resolve) => {
			const waiting = { ...request, resolve };
			if (request.retry) this.waiting.unshift(waiting);
			else this.waiting.push(waiting);
			void this.open();
		});
	}

	private async open() {
		this.dismissImpatient();
		if (this.isOpening) return;
		this.isOpening = true;
		while (this.waiting.length > 0 && this.inFlight < this.limit.limit) {
			const [next] = this.waiting;
			const delay = this.limit.delay(this.clock.now());
			if (next.isCanceled()) {
				this.waiting.shift();
				next.resolve({ kind: 'canceled' });
			} else if (delay > 0) await this.clock.sleep(delay);
			else await this.admit(next);
			this.dismissImpatient();
		}
		this.isOpening = false;
	}

	/** While the service asks to wait, sends those away who can't wait so long, or who are no longer wanted. */
	private dismissImpatient() {
		const pause = this.limit.pausedUntil - this.clock.now();
		if (pause <= 0) return;
		for (const waiting of this.waiting.splice(0)) {
			if (waiting.isCanceled()) waiting.resolve({ kind: 'canceled' });
			else if (pause > waiting.maxPause) waiting.resolve({ kind: 'paused', pause });
			else this.waiting.push(waiting);
		}
	}

	private async admit(next: Waiting) {
		this.waiting.shift();
		const startedAt = this.clock.now();
		this.inFlight++;
		this.limit.started(startedAt);
		next.resolve({ kind: 'entered', leave: (feedback) => this.leave(feedback, startedAt) });
		// Stryker disable next-line UpdateOperator: counted down, the multiples of the burst come at the same requests
		this.started++;
		if (this.started % BURST === 0) await this.clock.sleep(0);
	}

	private leave(feedback: Feedback, startedAt: number) {
		this.inFlight--;
		this.limit.finished(feedback, startedAt, this.clock.now());
		void this.open();
	}
}
