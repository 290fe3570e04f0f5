import type { FaultSettings } from './settings';
import type { FaultResponse } from '../types';

/**
 * Chooses what the next request gets instead of the correct response: the first entry of `next` for
 * this path, 429 beyond the rate limit, or else a fault by its rate. All rates share one random
 * number, so that each of them is met and none hides another.
 *
 * @returns undefined for the correct response
 */
export function chooseResponse(
	settings: FaultSettings,
	on: 'transactions' | 'token',
): FaultResponse | undefined {
	const { next, token, dropResponses, statuses } = settings.current;
	const index = next.findIndex((entry) => (entry.on ?? 'transactions') === on);
	if (index >= 0) {
		const entry = next[index];
		if ((entry.times ?? 1) > 1) next[index] = { ...entry, times: entry.times! - 1 };
		else next.splice(index, 1);
		return entry;
	}
	if (on === 'transactions' && settings.isOverRateLimit()) {
		return { status: 429, retryAfter: settings.current.rateLimit?.retryAfter ?? 1 };
	}
	if (on === 'token') return token;
	const candidates: Array<{ rate: number; response: FaultResponse }> = [
		{ rate: dropResponses, response: { fault: 'reset', processed: true } },
		...statuses.map((response) => ({ rate: response.rate, response })),
	];
	if (candidates.every(({ rate }) => rate === 0)) return undefined;
	let roll = settings.random();
	for (const { rate, response } of candidates) {
		roll -= rate;
		if (roll < 0) return response;
	}
	return undefined;
}
