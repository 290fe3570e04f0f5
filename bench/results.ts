import { cpus, loadavg, totalmem } from 'node:os';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConnectionRow, ConnectionSeries } from './connectionSpeed';
import type { PeakMemory } from './memory';
import { median, round } from './numbers';
import type { Series } from './speed';
import { AGAINST, OURS, type Against, type Ours, type Subject } from './subjects';
import type { Target } from './targets';
import type { TokenUse } from './tokens';
import type { TriggerRow, TriggerSeries } from './trigger';

/**
 * One of ours against one of theirs under the same conditions; times are medians over the rounds.
 */
export interface Row {
	ours: Ours;
	against: Against;
	items: number;
	latencyMs: number;
	/** How many times as fast as the other ours is. */
	ratio: number;
	oursItemsPerSecond: number;
	againstItemsPerSecond: number;
	/** How often each was measured. */
	rounds: number;
	againstRounds: number;
}

/** Time for one item in a run of 10,000, in parts of the time for one in a run of 1,000. */
export interface Scaling {
	subject: Subject;
	latencyMs: number;
	ratio: number;
}

/** What bench/results.json holds. */
export interface Results {
	/** Full, quick, or in words what is missing. */
	run: string;
	machine: { cpu: string; cores: number; memoryGiB: number; system: string; loadAtStart: number };
	versions: Record<string, string>;
	date: string;
	parallelRequests: number;
	rows: Row[];
	/** What differs between connections, with the node's own settings and with the best ones. */
	connectionRows: ConnectionRow[];
	scaling: Scaling[];
	memory: PeakMemory[];
	tokens: TokenUse[];
	/**
	 * Deliveries that the Payments Trigger accepts, against what users build from n8n's own nodes.
	 */
	triggerRows: TriggerRow[];
	trigger: TriggerSeries[];
	targets: Target[];
	/** Every single measurement of which the rows are made. */
	series: Series[];
	connectionSeries: ConnectionSeries[];
}

export const describeMachine = (): Results['machine'] => ({
	cpu: cpus()[0].model.trim(),
	cores: cpus().length,
	memoryGiB: Math.round(totalmem() / 2 ** 30),
	system: `${process.platform} ${process.arch}`,
	// Anything much above 0 means that something else was at work, too.
	loadAtStart: round(loadavg()[0]),
});

const versionIn = (folder: string, name: string) =>
	(
		JSON.parse(
			readFileSync(join(__dirname, '..', folder, 'node_modules', name, 'package.json'), 'utf8'),
		) as { version: string }
	).version;

/** `node`: of n8n and the programs outside it. */
export const describeVersions = (n8n: string, node: string): Results['versions'] => ({
	n8n,
	node,
	expressionEngine: 'vm (the default)',
	axios: versionIn('.', 'axios'),
	undici: versionIn('.', 'undici'),
});

/** The series of one subject under certain conditions, if it was measured under them. */
export const find = (
	series: readonly Series[],
	subject: Subject,
	items: number,
	latencyMs: number,
): Series | undefined =>
	series.find(
		(one) => one.subject === subject && one.items === items && one.latencyMs === latencyMs,
	);

export const itemsPerSecond = ({ items, ms }: Series) => (items / median(ms)) * 1000;

/** Each of ours against each of theirs, wherever both were measured. */
export const compare = (series: readonly Series[]): Row[] =>
	series.flatMap((one) => {
		const ours = OURS.find((subject) => subject === one.subject);
		if (!ours) return [];
		return AGAINST.flatMap((against) => {
			const other = find(series, against, one.items, one.latencyMs);
			if (!other) return [];
			const [fast, slow] = [itemsPerSecond(one), itemsPerSecond(other)];
			return [
				{
					ours,
					against,
					items: one.items,
					latencyMs: one.latencyMs,
					ratio: round(fast / slow),
					oursItemsPerSecond: round(fast),
					againstItemsPerSecond: round(slow),
					rounds: one.ms.length,
					againstRounds: other.ms.length,
				},
			];
		});
	});

/** How the time for one item grows with the number of items. */
export const compareSizes = (series: readonly Series[], large = 10_000, small = 1000): Scaling[] =>
	series.flatMap((one) => {
		const other = one.items === large ? find(series, one.subject, small, one.latencyMs) : undefined;
		return other
			? [
					{
						subject: one.subject,
						latencyMs: one.latencyMs,
						ratio: round(itemsPerSecond(other) / itemsPerSecond(one)),
					},
				]
			: [];
	});
