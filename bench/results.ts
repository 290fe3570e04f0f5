import { cpus, loadavg } from 'node:os';
import type { TriggerRow } from './trigger';

/** Times in ms are medians of the rounds. */
export interface Results {
	date: string;
	n8n: string;
	cores: number;
	/** Anything much above 0 means that something else was at work, too. */
	loadAtStart: number;
	rounds: number;
	items: number;
	/** The Payments node, and what people would use in its place. */
	connections: Array<{
		connection: string;
		/** n8n has no access token yet. */
		firstMs: number;
		laterMs: number;
		httpRequestMs: number;
	}>;
	/** A service that takes so many requests per second: default settings, and with the option. */
	rateLimit: {
		perSecond: number;
		defaultMs: number;
		defaultRejected: number;
		withOptionMs: number;
		withOptionRejected: number;
	};
	/** Most memory that n8n held, in a process of its own for each. */
	memory: Array<{ subject: string; items: number; ms: number; peakMiB: number }>;
	trigger: TriggerRow[];
}

export const describeMachine = () => ({
	cores: cpus().length,
	loadAtStart: Number(loadavg()[0].toFixed(2)),
});

/** At least so many times as fast as the HTTP Request node, in a first and a later execution. */
const TIMES_AS_FAST: Record<string, number> = {
	http: 4,
	https: 2.5,
	'https-30ms': 2.5,
	'https-100ms': 1.4,
};

/** Compares the figures with what they must be. A line for each, as it's printed. */
export function verdicts({ connections, rateLimit, memory, items }: Results): string[] {
	const line = (what: string, value: number, must: string, isReached: boolean) =>
		`${isReached ? 'reached    ' : 'NOT REACHED'}  ${what}: ${value.toFixed(2)}, must be ${must}`;
	const atLeast = (what: string, value: number, limit: number) =>
		line(what, value, `at least ${limit}`, value >= limit);
	const atMost = (what: string, value: number, limit: number) =>
		line(what, value, `at most ${limit}`, value <= limit);
	const idealMs = (items / rateLimit.perSecond) * 1000;
	const lines = connections.flatMap(({ connection, firstMs, laterMs, httpRequestMs }) => {
		const timesAsFast = (execution: string, ms: number) =>
			atLeast(`${connection}, ${execution}`, httpRequestMs / ms, TIMES_AS_FAST[connection]);
		return [
			timesAsFast('HTTP Request : first', firstMs),
			timesAsFast('HTTP Request : later', laterMs),
		];
	});
	lines.push(
		atMost('rate limit, time : ideal', rateLimit.defaultMs / idealMs, 1.25),
		atMost('rate limit, time : ideal, with the option', rateLimit.withOptionMs / idealMs, 1.1),
		atMost('rate limit, 429 with the option', rateLimit.withOptionRejected, 1),
	);
	const [payments, httpRequest] = memory;
	if (payments && httpRequest)
		lines.push(
			atMost('many items, ms for each', payments.ms / payments.items, 1),
			atMost('many items, memory : HTTP Request', payments.peakMiB / httpRequest.peakMiB, 1),
		);
	return lines;
}
