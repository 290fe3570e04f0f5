import type { Delivery, DeliverySummary } from '../types';

/** Adds the time of the next attempt, which depends on the current retry schedule. */
export function withNextAttempt(delivery: Delivery, intervalMs: number): Delivery {
	const last = delivery.attempts.at(-1);
	if (delivery.status !== 'RETRYING' || !last) return delivery;
	return { ...delivery, nextAttemptAt: Math.round(last.at + last.latencyMs + intervalMs) };
}

/** Returns what a list shows of a delivery: neither body nor headers, which can be large. */
export function summary(delivery: Delivery, intervalMs: number): DeliverySummary {
	const { attempts, body: _, url: __, ...rest } = withNextAttempt(delivery, intervalMs);
	const last = attempts.at(-1);
	return {
		...rest,
		attempts: attempts.length,
		...(last && { lastStatus: last.status, lastLatencyMs: last.latencyMs }),
	};
}
