import type { Clock as ClockView } from '../types';

/** What is due at a time of the clock. */
interface Timer {
	dueAt: number;
	run: () => void;
	/** Only while the clock goes on by itself. */
	handle?: NodeJS.Timeout;
}

/** The longest time that Node.js waits with one timer. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * The time of the sandbox, in whole milliseconds since the epoch. It's the time of this machine
 * until somebody freezes or advances it. What waits for it (retries, payment steps, token expiry)
 * follows, so that nothing waits in real time.
 */
export class Clock {
	private offsetMs = 0;
	private frozenAt: number | undefined;
	private readonly timers = new Set<Timer>();
	/** The latest change, so that another one starts when it's done. */
	private change: Promise<void> = Promise.resolve();
	/** Grows with every reset, which ends the changes in progress. */
	private round = 0;

	/** @param settle resolves when nothing that a timer started is in progress anymore */
	constructor(private readonly settle: () => Promise<void>) {}

	now(): number {
		return this.frozenAt ?? Date.now() + this.offsetMs;
	}

	get isFrozen(): boolean {
		return this.frozenAt !== undefined;
	}

	/** Milliseconds that this clock is ahead of the machine's. Negative after it was frozen. */
	get aheadMs(): number {
		return this.frozenAt === undefined ? this.offsetMs : this.frozenAt - Date.now();
	}

	read(): ClockView {
		return { now: this.now(), frozen: this.isFrozen, aheadMs: this.aheadMs };
	}

	/** Calls `run` after `delayMs` of this clock. Returns the function that cancels it. */
	setTimer(run: () => void, delayMs: number): () => void {
		const timer: Timer = { dueAt: this.now() + Math.ceil(Math.max(0, delayMs)), run };
		this.timers.add(timer);
		if (!this.isFrozen) this.start(timer);
		return () => {
			this.timers.delete(timer);
			clearTimeout(timer.handle);
		};
	}

	/** Freezes or advances the clock, or lets it go on. What is due on the way happens in order. */
	async set({ frozen, advanceMs = 0 }: { frozen?: boolean; advanceMs?: number }): Promise<void> {
		const { round } = this;
		this.change = this.change.then(async () => {
			if (round !== this.round) return;
			const stayFrozen = frozen ?? this.isFrozen;
			this.freeze();
			await this.moveTo(this.now() + advanceMs);
			if (!stayFrozen && round === this.round) this.resume();
		});
		await this.change;
	}

	/** Goes back to the time of this machine. What waits for a time doesn't happen. */
	reset(): void {
		this.round++;
		for (const { handle } of this.timers) clearTimeout(handle);
		this.timers.clear();
		this.frozenAt = undefined;
		this.offsetMs = 0;
	}

	private freeze(): void {
		this.frozenAt = this.now();
		for (const { handle } of this.timers) clearTimeout(handle);
	}

	private resume(): void {
		this.offsetMs = this.aheadMs;
		this.frozenAt = undefined;
		for (const timer of this.timers) this.start(timer);
	}

	private start(timer: Timer): void {
		const waitMs = Math.min(timer.dueAt - this.now(), MAX_TIMEOUT_MS);
		// Node.js may call back a moment too early, or before the end of a very long time.
		const check = () => (this.now() < timer.dueAt ? this.start(timer) : this.fire(timer));
		timer.handle = setTimeout(check, waitMs);
	}

	private fire(timer: Timer): void {
		this.timers.delete(timer);
		timer.run();
	}

	private async moveTo(target: number): Promise<void> {
		const { round } = this;
		for (;;) {
			await this.settle();
			if (round !== this.round) return;
			const next = this.next();
			if (!next || next.dueAt > target) break;
			this.frozenAt = Math.max(this.now(), next.dueAt);
			this.fire(next);
		}
		this.frozenAt = target;
	}

	/** The timer that is due first; of equals, the one that was set first. */
	private next(): Timer | undefined {
		let first: Timer | undefined;
		for (const timer of this.timers) if (!first || timer.dueAt < first.dueAt) first = timer;
		return first;
	}
}
