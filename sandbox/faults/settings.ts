import type { FaultRequest, Faults, Latency } from './types';
import { randomSequence } from './random';

const noFaults = (seed: number): Faults => ({
	seed,
	statuses: [],
	dropResponses: 0,
	resetConnections: 0,
	failAfterRecording: 0,
	rejectDuplicateExternalIds: false,
	transactionsNotFound: false,
	latencyMs: 0,
	next: [],
	token: {},
	strictScope: false,
	revokeTokens: false,
	deliveries: {
		doubled: 0,
		tripled: 0,
		shuffled: 0,
		shuffleMs: 1000,
		delayed: 0,
		delayMs: 5000,
		concurrency: 20,
	},
	retries: { attempts: 10, intervalMs: 600_000 },
	processingMs: 100,
});

/** The faults in force and the random sequence that their shares are drawn from. */
export class FaultSettings {
	current: Faults;
	random: () => number;

	constructor(private readonly seed: number) {
		this.current = noFaults(seed);
		this.random = randomSequence(seed);
	}

	/** What is left out is off; the random sequence starts again, so that the same request gives the same run. */
	replace(wanted: FaultRequest = {}): void {
		this.current = noFaults(this.seed);
		this.change({ seed: this.seed, ...wanted });
	}

	/** Only what is named changes; a named seed starts the random sequence again. */
	change({
		expireTokens: _,
		refuseConnections: __,
		revokeTokens,
		deliveries,
		retries,
		...wanted
	}: FaultRequest): void {
		if (wanted.seed !== undefined) this.random = randomSequence(wanted.seed);
		Object.assign(this.current, wanted);
		// `true` happens at once and is not kept; see http/operations/faults.ts.
		if (revokeTokens !== undefined && revokeTokens !== true)
			this.current.revokeTokens = revokeTokens;
		Object.assign(this.current.deliveries, deliveries);
		Object.assign(this.current.retries, retries);
	}

	/** Milliseconds: the number itself, or a random one of the range. */
	draw(latency: Latency): number {
		if (typeof latency === 'number') return latency;
		const [from, to] = latency;
		return from + this.random() * (to - from);
	}
}
