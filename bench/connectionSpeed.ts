import type { Faults } from '../sandbox/types';
import { CONNECTIONS, type Connection } from './connection/connections';
import { median, round } from './numbers';
import type { Rig } from './rig';
import { FIXED, isAutomatic, RATE_PER_SECOND, type NodeSubject, type Subject } from './subjects';

/** What users get: the settings that the node comes with, over the connections that they have. */
export interface ConnectionSeries {
	subject: Subject;
	items: number;
	connection: Connection;
	/** What the service does besides answering: nothing, limit the rate, or slow down. */
	service: 'usual' | 'rate limit' | 'slowdown';
	/** One entry for each round, in ms. */
	ms: number[];
	/**
	 * Transactions that the service recorded in the last round, and requests that it rejected with
	 * 429.
	 */
	created: number;
	rejected: number;
	/** Set when it could not be measured: what went wrong. */
	failed?: string;
}

/**
 * Ours against theirs over one connection. `default`: the node as it comes, in its first execution
 * at a service; `next`: in the one after it; `best`: with the fastest fixed number of concurrent
 * requests.
 */
export interface ConnectionRow {
	ours: string;
	against: string;
	items: number;
	connection: Connection;
	service: ConnectionSeries['service'];
	settings: 'default' | 'next' | 'best';
	ratio: number;
}

/** 50 requests per second, 429 and Retry-After: 1 beyond them. */
const RATE_LIMIT: Faults = { rateLimit: { perSecond: RATE_PER_SECOND, retryAfter: 1 } };
const SLOWDOWN: Faults = { slowdown: { beyond: 20, latencyMs: 25 } };

interface Stage {
	items: number;
	connection: Connection;
	service: ConnectionSeries['service'];
	faults: Faults;
	rounds: number;
	subjects: readonly Subject[];
	/** Subjects that leave transactions out, so that the service's count isn't checked. */
	unchecked: readonly NodeSubject[];
}

export function connectionStages(quick: boolean): Stage[] {
	const rounds = quick ? 1 : 3;
	const usual = (items: number, connection: Connection, subjects: readonly Subject[]): Stage => ({
		items,
		connection,
		service: 'usual',
		faults: {},
		rounds: items <= 10 ? rounds * 3 : rounds,
		subjects,
		unchecked: [],
	});
	const basic: Subject[] = ['item-default', 'item-next', 'http-json', 'axios'];
	const distant = CONNECTIONS.filter((connection) => connection !== 'http');
	const stages = [
		usual(1000, 'http', [...basic, 'http-template', ...FIXED]),
		...distant.map((connection) => usual(1000, connection, [...basic, ...FIXED])),
		...CONNECTIONS.flatMap((connection) => [
			usual(10, connection, ['item-default', 'item-next', 'http-json']),
			usual(100, connection, ['item-default', 'item-next', 'http-json']),
		]),
		{
			...usual(1000, 'https-30ms', ['item-default', 'item-next', 'item-per-second', 'http-json']),
			service: 'rate limit' as const,
			faults: RATE_LIMIT,
			unchecked: ['http-json' as const],
		},
		{
			...usual(1000, 'http', ['item-default', 'item-next', 'http-json', ...FIXED]),
			service: 'slowdown' as const,
			faults: SLOWDOWN,
		},
	];
	if (quick) return stages.filter(({ items }) => items === 1000);
	return [
		...stages,
		{ ...usual(10_000, 'https-30ms', ['item-default', ...FIXED, 'http-json']), rounds: 1 },
	];
}

/**
 * Measures one stage; the rounds alternate. What fails is recorded, and the other subjects go on.
 */
export async function runConnectionStage(
	rig: Rig,
	{ items, connection, service, faults, rounds, subjects, unchecked }: Stage,
	tell: (line: string) => void,
): Promise<ConnectionSeries[]> {
	const series = subjects.map(
		(subject): ConnectionSeries => ({
			subject,
			items,
			connection,
			service,
			ms: [],
			created: 0,
			rejected: 0,
		}),
	);
	for (let pass = 1; pass <= rounds; pass++) {
		for (const one of series.filter(({ failed }) => failed === undefined)) {
			const { subject } = one;
			const isUnchecked = (unchecked as readonly Subject[]).includes(subject);
			try {
				const { ms, counts } = isUnchecked
					? await rig.measureUnchecked(subject as NodeSubject, items, faults, connection)
					: await rig.measure(subject, items, faults, connection);
				one.ms.push(ms);
				one.created = counts.transactions.created;
				one.rejected = counts.transactions.responses['429'] ?? 0;
			} catch (error) {
				one.failed = (error as Error).message;
			}
			const figure = one.failed ?? `${Math.round(one.ms.at(-1) ?? 0)} ms`;
			tell(`${connection}, ${service}, ${items} items, round ${pass}: ${subject} ${figure}`);
		}
	}
	return series;
}

/** Each row compares the medians of two series that were measured under the same conditions. */
export function compareConnections(series: readonly ConnectionSeries[]): ConnectionRow[] {
	const measured = series.filter(({ ms }) => ms.length > 0);
	return measured.flatMap((ours) => {
		const settings = SETTINGS.get(ours.subject);
		if (settings === undefined) return [];
		const same = measured.filter(
			(one) =>
				one.items === ours.items &&
				one.connection === ours.connection &&
				one.service === ours.service &&
				!isAutomatic(one.subject),
		);
		const fixed = same.filter(isFixed).sort((a, b) => median(a.ms) - median(b.ms));
		const bestFixed = fixed.slice(0, 1);
		const others = same.filter((one) => !isFixed(one));
		return [
			...others.map((other) => compareSeries(ours, other, settings)),
			...bestFixed.map((best) => ({
				...compareSeries(ours, best, settings),
				against: `best fixed number (${best.subject})`,
			})),
			...(settings === 'default'
				? bestFixed.flatMap((best) => others.map((other) => compareSeries(best, other, 'best')))
				: []),
		];
	});
}

const SETTINGS = new Map<Subject, ConnectionRow['settings']>([
	['item-default', 'default'],
	['item-next', 'next'],
]);

const isFixed = ({ subject }: ConnectionSeries) => (FIXED as readonly Subject[]).includes(subject);

const compareSeries = (
	{ items, connection, service, ms }: ConnectionSeries,
	other: ConnectionSeries,
	settings: ConnectionRow['settings'],
): ConnectionRow => ({
	ours: 'item',
	against: other.subject,
	items,
	connection,
	service,
	settings,
	ratio: round(median(other.ms) / median(ms)),
});
