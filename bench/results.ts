import { cpus, loadavg, totalmem } from 'node:os';
import type { TriggerRow } from './trigger';

/** Times in ms are medians of the rounds. */
export interface Results {
	date: string;
	n8n: string;
	machine: {
		cpu: string;
		cores: number;
		memoryGiB: number;
		/** Anything much above 0 means that something else was at work, too. */
		loadAtStart: number;
	};
	rounds: number;
	items: number;
	/** The Payments node, and what people would use in its place. */
	connections: Array<{
		connection: string;
		/** n8n has no access token yet. */
		firstMs: number;
		laterMs: number;
		httpRequestMs: number;
		keptConnectionsMs: number;
	}>;
	/** A service that takes so many requests per second: default settings, and with the option. */
	rateLimit: {
		perSecond: number;
		defaultMs: number;
		defaultRejected: number;
		withOptionMs: number;
		withOptionRejected: number;
		/** An execution before it met the limit, and one after the service lifted it. */
		beforeMs: number;
		afterMs: number;
	};
	/** Most memory that n8n held, in a process of its own for each. */
	memory: Array<{ subject: string; items: number; ms: number; peakMiB: number }>;
	trigger: TriggerRow[];
}

export const describeMachine = (): Results['machine'] => ({
	cpu: cpus()[0].model.trim(),
	cores: cpus().length,
	memoryGiB: Math.round(totalmem() / 2 ** 30),
	loadAtStart: Number(loadavg()[0].toFixed(2)),
});

/** At least so many times as fast as the HTTP Request node, in a first and a later execution. */
const TIMES_AS_FAST: Record<string, number> = {
	http: 4,
	https: 2.5,
	'https-30ms': 2.5,
	'https-100ms': 1.4,
};

type Row = [what: string, figure: string, must: string, isReached: boolean];

/** The table that a run prints: each figure, and what it must be. */
export function toRows(results: Results): Row[] {
	const { connections, rateLimit, memory, trigger, items } = results;
	const ms = (value: number) => `${Math.round(value).toLocaleString('en')} ms`;
	const atLeast = (what: string, value: number, limit: number): Row => [
		what,
		value.toFixed(2),
		`at least ${limit}`,
		value >= limit,
	];
	const atMost = (what: string, value: number, limit: number): Row => [
		what,
		value.toFixed(2),
		`at most ${limit}`,
		value <= limit,
	];
	const plain = (what: string, figure: string): Row => [what, figure, '', true];
	const sending = connections.flatMap((row): Row[] => {
		const { connection, firstMs, laterMs, httpRequestMs, keptConnectionsMs } = row;
		const limit = TIMES_AS_FAST[connection];
		return [
			plain(
				`${items} items, ${connection}: first, later, HTTP Request, kept connections`,
				[firstMs, laterMs, httpRequestMs, keptConnectionsMs].map(ms).join(', '),
			),
			atLeast('  HTTP Request : first', httpRequestMs / firstMs, limit),
			atLeast('  HTTP Request : later', httpRequestMs / laterMs, limit),
			atMost('  later : first', laterMs / firstMs, 1.15),
		];
	});
	const idealMs = (items / rateLimit.perSecond) * 1000;
	const [payments, httpRequest] = memory;
	return [
		...sending,
		atMost(
			`${rateLimit.perSecond} per second: time : ideal (${rateLimit.defaultRejected} got 429)`,
			rateLimit.defaultMs / idealMs,
			1.25,
		),
		atMost('  with the rate set', rateLimit.withOptionMs / idealMs, 1.1),
		atMost('  with the rate set, requests that got 429', rateLimit.withOptionRejected, 0),
		atMost('  after the limit was lifted : before', rateLimit.afterMs / rateLimit.beforeMs, 1.15),
		...(payments && httpRequest
			? [
					atMost(`${payments.items} items, ms for each`, payments.ms / payments.items, 1),
					atMost(
						`  peak memory : that with HTTP Request (${payments.peakMiB} and ${httpRequest.peakMiB} MiB)`,
						payments.peakMiB / httpRequest.peakMiB,
						1,
					),
				]
			: []),
		...trigger.map(({ receiver, settings, perSecond, responseMs }) =>
			plain(
				`deliveries per second, n8n's settings ${settings}: ${receiver}`,
				`${perSecond}, ${responseMs} ms`,
			),
		),
	];
}
