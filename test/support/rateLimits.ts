/* How services limit the rate of requests, as public APIs describe it. Times are in ms. */

export interface RateLimit {
	/** Counts a request. Returns whether it's one too many. */
	isBeyond: (now: number) => boolean;
	/** When the next request is accepted. */
	freeAt: (now: number) => number;
}

const MINUTE = 60_000;

/** As many as `perMinute` in each minute, the first of which has begun `phase` ms ago. */
export function fixedWindow(perMinute: number, phase = 0): RateLimit {
	let minute = -1;
	let taken = 0;
	const minuteOf = (now: number) => Math.floor((now + phase) / MINUTE);
	return {
		isBeyond(now) {
			if (minuteOf(now) !== minute) {
				minute = minuteOf(now);
				taken = 0;
			}
			return ++taken > perMinute;
		},
		freeAt: (now) => (minuteOf(now) + 1) * MINUTE - phase,
	};
}

/** As many as `perMinute` in any 60 s. */
export function slidingWindow(perMinute: number): RateLimit {
	let taken: number[] = [];
	return {
		isBeyond(now) {
			taken = taken.filter((at) => at > now - MINUTE);
			if (taken.length >= perMinute) return true;
			taken.push(now);
			return false;
		},
		freeAt: () => taken[0] + MINUTE,
	};
}

/** A bucket of `perMinute` tokens, into which they drip over a minute. */
export function tokenBucket(perMinute: number): RateLimit {
	let tokens = perMinute;
	let filledAt = 0;
	return {
		isBeyond(now) {
			tokens = Math.min(perMinute, tokens + ((now - filledAt) * perMinute) / MINUTE);
			filledAt = now;
			if (tokens < 1) return true;
			tokens -= 1;
			return false;
		},
		freeAt: (now) => now + ((1 - tokens) * MINUTE) / perMinute,
	};
}

/** What a service says of its limit in a response with 429, by the time until the next request. */
export const LIMIT_HEADERS: Record<string, (ms: number, epoch: number) => Record<string, string>> =
	{
		'Retry-After': (ms) => ({ 'retry-after': seconds(ms) }),
		RateLimit: (ms) => ({ ratelimit: `"default";r=0;t=${seconds(ms)}` }),
		'RateLimit-Reset': (ms) => ({ 'ratelimit-remaining': '0', 'ratelimit-reset': seconds(ms) }),
		'X-RateLimit-Reset in seconds': (ms) => ({ 'x-ratelimit-reset': seconds(ms) }),
		'X-RateLimit-Reset as a time': (ms, epoch) => ({
			date: new Date(epoch).toUTCString(),
			'x-ratelimit-reset': String(Math.ceil((epoch + ms) / 1000)),
		}),
		nothing: () => ({}),
	};

const seconds = (ms: number) => String(Math.ceil(ms / 1000));

/** A limit as `Weather` has it. */
export const weatherLimit =
	({ isBeyond, freeAt }: RateLimit, header: string) =>
	(now: number): Record<string, string> | undefined =>
		isBeyond(now) ? LIMIT_HEADERS[header](freeAt(now) - now, EPOCH + now) : undefined;

/** The service's clock is ahead by years. */
const EPOCH = Date.UTC(2040, 0, 1);
