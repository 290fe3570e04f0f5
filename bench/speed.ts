import type { Rig } from './rig';
import { AGAINST, HTTP_NODE, isClient, OURS, type Subject } from './subjects';

/** All measurements of one subject under the same conditions. */
export interface Series {
	subject: Subject;
	items: number;
	latencyMs: number;
	/** One entry for each round, in ms. */
	ms: number[];
	/** The most requests that the service had open at one time. */
	maxInFlight: number;
}

/**
 * So many items under so much latency: each round goes through all subjects, those that are slow
 * perhaps only in the first.
 */
export interface Stage {
	items: number;
	latencyMs: number;
	rounds: number;
	subjects: readonly Subject[];
	onlyOnce: readonly Subject[];
}

const ALL: readonly Subject[] = [...OURS, ...AGAINST];

/**
 * What a run measures. For 10,000 items the HTTP Request node takes minutes, so it does them once,
 * and its slowest way at 0 ms only.
 */
export function stages(quick: boolean): Stage[] {
	const usual = (items: number, latencyMs: number): Stage => ({
		items,
		latencyMs,
		rounds: 3,
		subjects: [...ALL, 'item-default'],
		onlyOnce: [],
	});
	if (quick)
		return [0, 20].map((latencyMs) => ({ ...usual(300, latencyMs), onlyOnce: ['http-keyvalue'] }));
	return [
		usual(1000, 0),
		usual(1000, 20),
		{ items: 10_000, latencyMs: 0, rounds: 3, subjects: ALL, onlyOnce: HTTP_NODE },
		usual(100, 0),
		usual(100, 20),
		{
			items: 10_000,
			latencyMs: 20,
			rounds: 1,
			subjects: ALL.filter((subject) => subject !== 'http-keyvalue'),
			onlyOnce: [],
		},
	];
}

/**
 * Runs every subject that n8n runs once, unmeasured, so that none is measured while n8n still
 * compiles it; the programs warm themselves.
 */
export async function warmUp(rig: Rig, items: number): Promise<void> {
	for (const subject of ALL) if (!isClient(subject)) await rig.measure(subject, items, {});
}

/**
 * One stage: the rounds alternate (A B C … A B C …), so that whatever else the machine does meets
 * all alike.
 */
export async function runStage(
	rig: Rig,
	{ items, latencyMs, rounds, subjects, onlyOnce }: Stage,
	tell: (line: string) => void,
): Promise<Series[]> {
	const series = subjects.map(
		(subject): Series => ({ subject, items, latencyMs, ms: [], maxInFlight: 0 }),
	);
	for (let round = 1; round <= rounds; round++) {
		for (const one of series.filter(({ subject }) => round === 1 || !onlyOnce.includes(subject))) {
			const { ms, counts } = await rig.measure(one.subject, items, { latencyMs });
			one.ms.push(ms);
			one.maxInFlight = Math.max(one.maxInFlight, counts.transactions.maxInFlight);
			tell(
				`${items} items, ${latencyMs} ms, round ${round}: ${one.subject} ${Math.round((items / ms) * 1000)} items/s`,
			);
		}
	}
	return series;
}
