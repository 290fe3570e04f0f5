import type { Throttle, Feedback } from '../../nodes/Payments/sending/throttle/throttle';

/** Simulated time, in ms: what is planned happens in order, and nothing waits. */
class Timeline {
	now = 0;

	private readonly planned: Array<{ at: number; happen: () => void }> = [];

	after(ms: number, happen: () => void) {
		const at = this.now + Math.max(0, ms);
		const later = this.planned.findIndex((one) => one.at > at);
		this.planned.splice(later < 0 ? this.planned.length : later, 0, { at, happen });
	}

	run() {
		for (let next = this.planned.shift(); next; next = this.planned.shift()) {
			this.now = next.at;
			next.happen();
		}
	}
}

/** Answers one request: calls `done` once, at some later time. */
type Service = (time: Timeline, done: (feedback: Feedback) => void) => void;

/** Numbers from 0 to below 1, always the same. */
function sequence(seed = 7): () => number {
	let state = seed;
	return () => {
		state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
		return state / 2_147_483_648;
	};
}

const ANSWERED: Feedback = { kind: 'answered' };

/** Always takes about so many ms. */
export function fixedLatency(ms: number): Service {
	const random = sequence();
	return (time, done) => time.after(ms * (0.9 + random() * 0.2), () => done(ANSWERED));
}

/**
 * Takes so many ms for up to `capacity` requests at once; beyond that, latency grows with the
 * square of their number.
 */
export function slowsDown(ms: number, capacity: number): Service {
	const random = sequence();
	let open = 0;
	return (time, done) => {
		open++;
		const latency = ms * Math.max(1, open / capacity) ** 2;
		time.after(latency * (0.95 + random() * 0.1), () => {
			open--;
			done(ANSWERED);
		});
	};
}

/** Answers 503 without Retry-After to more than `capacity` requests at once. */
export function limitsConcurrency(ms: number, capacity: number): Service {
	const random = sequence();
	let open = 0;
	return (time, done) => {
		if (open >= capacity) {
			time.after(ms, () => done({ kind: 'busy' }));
			return;
		}
		open++;
		time.after(ms * (0.95 + random() * 0.1), () => {
			open--;
			done(ANSWERED);
		});
	};
}

/**
 * Answers 429 with `Retry-After: 1` to requests that `takes` rejects at the time when they arrive.
 */
function limitsRate(roundTrip: number, takes: (now: number) => boolean): Service {
	const random = sequence();
	// Requests overtake each other, as on any network.
	const halfWay = () => (roundTrip / 2) * (0.9 + random() * 0.4);
	return (time, done) =>
		time.after(halfWay(), () => {
			const feedback: Feedback = takes(time.now) ? ANSWERED : { kind: 'busy', retryAfter: 1000 };
			time.after(halfWay(), () => done(feedback));
		});
}

/** So many requests in each full second. */
export function fixedWindow(roundTrip: number, perSecond: number): Service {
	let second = -1;
	let count = 0;
	return limitsRate(roundTrip, (now) => {
		const current = Math.floor((now + 333) / 1000);
		if (current !== second) count = 0;
		second = current;
		count++;
		return count <= perSecond;
	});
}

/** So many requests in any second. */
export function slidingWindow(roundTrip: number, perSecond: number): Service {
	const taken: number[] = [];
	return limitsRate(roundTrip, (now) => {
		while (taken.length > 0 && taken[0] <= now - 1000) taken.shift();
		const takes = taken.length < perSecond;
		if (takes) taken.push(now);
		return takes;
	});
}

/** So many requests in any second; after some ms, only a tenth of them. */
export function shrinkingWindow(roundTrip: number, perSecond: number, shrinksAt: number): Service {
	const wide = slidingWindow(roundTrip, perSecond);
	const narrow = slidingWindow(roundTrip, perSecond / 10);
	return (time, done) => (time.now < shrinksAt ? wide : narrow)(time, done);
}

/** A token bucket that holds one second's requests. */
export function tokenBucket(roundTrip: number, perSecond: number): Service {
	let tokens = perSecond;
	let filledAt = 0;
	return limitsRate(roundTrip, (now) => {
		tokens = Math.min(perSecond, tokens + ((now - filledAt) * perSecond) / 1000);
		filledAt = now;
		if (tokens < 1) return false;
		tokens--;
		return true;
	});
}

/** Answers 429 to some requests, whatever their rate. */
export function randomlyBusy(ms: number, probability: number, retryAfter?: number): Service {
	const random = sequence();
	return (time, done) =>
		time.after(ms, () => done(random() < probability ? { kind: 'busy', retryAfter } : ANSWERED));
}

export interface SimulatedRun {
	/** ms from the first request to the last answer. */
	duration: number;
	sent: number;
	rejected: number;
	maxInFlight: number;
	/** Requests that started although the service had asked to wait. */
	startedDuringPause: number;
}

/**
 * Sends items to a simulated service as the node does: as the limit allows, those that were
 * rejected again.
 *
 * @param processorTime ms of this machine's only processor that a request takes, half of them
 *   before the service has it, and half of them after the answer: a TLS connection takes over one
 * @param otherWork ms for which something else on this machine takes the processor now and then, as
 *   on a busy one
 */
export function simulate(
	service: Service,
	limit: Throttle,
	{
		items,
		processorTime,
		otherWork = 0,
		seed,
	}: { items: number; processorTime: number; otherWork?: number; seed?: number },
): SimulatedRun {
	const time = new Timeline();
	const random = sequence(seed);
	const retries: number[] = [];
	const run = { duration: 0, sent: 0, rejected: 0, maxInFlight: 0, startedDuringPause: 0 };
	let unsent = items;
	let inFlight = 0;
	let processorFreeAt = 0;
	let wakeAt = -1;
	// A timer wakes late, by up to 2 ms.
	const wake = (at: number) => {
		if (wakeAt > time.now && wakeAt <= at) return;
		wakeAt = at;
		time.after(at - time.now + random() * 2, sendMore);
	};
	const finish = (feedback: Feedback, startedAt: number) => {
		inFlight--;
		limit.finished(feedback, startedAt, time.now);
		if (feedback.kind === 'answered') {
			run.duration = time.now;
		} else {
			run.rejected++;
			const retryAfter = feedback.kind === 'busy' ? (feedback.retryAfter ?? 0) : 0;
			retries.push(time.now + Math.max(retryAfter, 250 + random() * 250));
			retries.sort((a, b) => a - b);
		}
		sendMore();
	};
	// n8n's processor does one thing after the other, so it makes round trips longer, too.
	const process = (ms: number, done: () => void) => {
		const interruption = random() < 0.01 ? otherWork * (0.5 + random()) : 0;
		processorFreeAt = Math.max(processorFreeAt, time.now) + ms * (0.5 + random()) + interruption;
		time.after(processorFreeAt - time.now, done);
	};
	const send = () => {
		inFlight++;
		run.sent++;
		run.maxInFlight = Math.max(run.maxInFlight, inFlight);
		if (time.now < limit.pausedUntil) run.startedDuringPause++;
		const startedAt = time.now;
		limit.started(startedAt);
		process(processorTime / 2, () =>
			service(time, (feedback) => process(processorTime / 2, () => finish(feedback, startedAt))),
		);
	};
	function sendMore() {
		while (inFlight < limit.limit) {
			const retryIsDue = retries.length > 0 && retries[0] <= time.now;
			if (!retryIsDue && unsent === 0) {
				if (retries.length > 0) wake(retries[0]);
				return;
			}
			const delay = limit.delay(time.now);
			if (delay > 0) {
				wake(time.now + delay);
				return;
			}
			if (retryIsDue) retries.shift();
			else unsent--;
			send();
		}
	}
	sendMore();
	time.run();
	return run;
}
