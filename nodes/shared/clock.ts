import { sleep } from 'n8n-workflow';

export interface Clock {
	/** ms on a clock that nobody sets. */
	now: () => number;
	sleep: (ms: number) => Promise<unknown>;
}

/** The time of this process. */
export const PROCESS_CLOCK: Clock = { now: () => performance.now(), sleep };
