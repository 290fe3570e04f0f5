import type { Delivery, DeliverySummary } from '../types';

/** The delivery with the time of its next attempt, which the retry schedule decides. */
export function whole(delivery: Delivery, intervalMs: number): Delivery {
	const last = delivery.attempts.at(-1);
	if (delivery.status !== 'RETRYING' || !last) return delivery;
	return { ...delivery, nextAttemptAt: Math.round(last.at + last.latencyMs + intervalMs) };
}

/** What a list shows of a delivery: neither body nor headers, of which there are many. */
export function summary(delivery: Delivery, intervalMs: number): DeliverySummary {
	const { attempts, body: _, url: __, ...rest } = whole(delivery, intervalMs);
	const last = attempts.at(-1);
	return {
		...rest,
		attempts: attempts.length,
		...(last && { lastStatus: last.status, lastLatencyMs: last.latencyMs }),
	};
}
