import type { ActiveFaults, Faults, Latency } from '../types';
import { unsafeUniformIntDistribution, xoroshiro128plus } from 'pure-rand';

/** How many different numbers a sequence has. */
const STEPS = 2 ** 32;

/**
 * Creates a sequence of numbers from 0 to below 1, evenly distributed and the same for the same
 * seed. It decides which requests get a fault. Never use it for secrets or ids.
 */
function randomSequence(seed: number): () => number {
	const generator = xoroshiro128plus(seed);
	return () => unsafeUniformIntDistribution(0, STEPS - 1, generator) / STEPS;
}

/** Every setting at its default: no faults. */
const noFaults = (): ActiveFaults => ({
	seed: 1,
	statuses: [],
	dropResponses: 0,
	latencyMs: 0,
	next: [],
	token: {},
	revokeTokens: false,
	deliveries: {
		doubled: 0,
		tripled: 0,
		shuffled: 0,
		shuffleMs: 1000,
		concurrency: 20,
	},
	retries: { attempts: 10, intervalMs: 600_000 },
	processingMs: 100,
	recordsOnly: false,
	idempotencyKeys: true,
});

/** The active faults, and the random sequence that decides which requests they apply to. */
export class FaultSettings {
	current = noFaults();
	random = randomSequence(this.current.seed);
	/** When the requests of the last second were taken, for the rate limit. */
	private taken: number[] = [];

	/**
	 * Replaces all faults and starts the random sequence again. `recordsOnly`, which is no fault,
	 * stays.
	 */
	replace(wanted: Faults = {}): void {
		this.current = { ...noFaults(), recordsOnly: this.current.recordsOnly };
		this.change({ seed: this.current.seed, ...wanted });
	}

	/** Changes the faults that are named. A named seed starts the random sequence again. */
	change(wanted: Faults): void {
		const {
			// Happens at once and isn't kept; see http/operations/control.ts.
			refuseConnections: _,
			revokeTokens,
			deliveries,
			retries,
			...others
		} = wanted;
		if (others.seed !== undefined) this.random = randomSequence(others.seed);
		Object.assign(this.current, others);
		// `true` revokes once and isn't kept either.
		if (revokeTokens !== undefined && revokeTokens !== true)
			this.current.revokeTokens = revokeTokens;
		Object.assign(this.current.deliveries, deliveries);
		Object.assign(this.current.retries, retries);
	}

	/** Counts a transaction request against the rate limit. Returns whether it's beyond the limit. */
	isOverRateLimit(now = Date.now()): boolean {
		const { rateLimit } = this.current;
		if (!rateLimit) return false;
		this.taken = this.taken.filter((at) => at > now - 1000);
		if (this.taken.length >= rateLimit.perSecond) return true;
		this.taken.push(now);
		return false;
	}

	/** A number of milliseconds: the latency itself, or a random one of its range. */
	drawLatency(latency: Latency): number {
		if (typeof latency === 'number') return latency;
		const [from, to] = latency;
		return from + this.random() * (to - from);
	}
}
