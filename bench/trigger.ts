import { setTimeout as wait } from 'node:timers/promises';
import type { N8nClient, StoredWorkflow } from '../host/n8n/client';
import { isOver } from '../host/n8n/executions';
import { startN8n, type N8n } from '../host/n8n/startN8n';
import { deliver, type Load, type LoadResult } from './load';
import { median, round } from './numbers';
import { listen, signedEvent, type Listener, type Receiver } from './receivers';

/** The settings of n8n that docs/scaling.md recommends. */
const ENVIRONMENTS = {
	default: {},
	recommended: {
		N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
		N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true',
	},
};
export type TriggerSettings = keyof typeof ENVIRONMENTS;
const SETTINGS = Object.keys(ENVIRONMENTS) as TriggerSettings[];

export interface TriggerSeries {
	receiver: Receiver;
	settings: TriggerSettings;
	load: Load;
	/** Deliveries of all rounds together. */
	sent: number;
	accepted: number;
	/** Medians over the rounds: per second, and ms. */
	acceptedPerSecond: number;
	/**
	 * As the accepted ones, but until the last execution has ended: some receivers verify only after
	 * the response.
	 */
	executedPerSecond: number;
	p50: number;
	p99: number;
	/** How often it was measured. */
	rounds: number;
}

/** The Payments Trigger against another receiver: deliveries accepted per second, flat out. */
export interface TriggerRow {
	ours: Receiver;
	against: Receiver;
	settings: TriggerSettings;
	ratio: number;
	oursPerSecond: number;
	againstPerSecond: number;
}

const FLAT_OUT: Load = { connections: 20 };
/** Loads that leave a fast receiver time to spare, to see how soon it responds. */
const RATES: Record<TriggerSettings, Load[]> = {
	default: [{ perSecond: 20 }, { perSecond: 50 }],
	recommended: [{ perSecond: 50 }, { perSecond: 100 }],
};
const WITH_RATES: readonly Receiver[] = ['payments-trigger', 'webhook'];

interface Measured extends Listener {
	client: N8nClient;
	settings: TriggerSettings;
	load: Load;
	results: Array<LoadResult & { executedPerSecond: number }>;
}

/**
 * Waits until the executions that were started are over; resolves with how many there are, and when
 * the last one ended.
 */
async function untilQuiet(
	n8n: N8nClient,
	workflow: StoredWorkflow,
): Promise<{ count: number; endedAt: number }> {
	for (let before = -1, tries = 0; ; await wait(250)) {
		const { count, results } = await n8n.executions(workflow);
		if (count === before && results.every(isOver)) {
			const ends = results.map(({ stoppedAt }) => Date.parse(stoppedAt ?? ''));
			return { count, endedAt: Math.max(...ends) };
		}
		if (++tries > 1200)
			throw new Error(`The executions of "${workflow.name}" were not over after 5 minutes.`);
		before = count;
	}
}

/**
 * Starts an n8n with each of the settings. Both stay up, so that they take turns and see the same
 * machine.
 */
async function startBoth(tarball: string) {
	const started: Array<{ settings: TriggerSettings; n8n: N8n; listeners: Listener[] }> = [];
	for (const settings of SETTINGS) {
		const n8n = await startN8n({ tarball, env: ENVIRONMENTS[settings] });
		await n8n.client.setUpOwner();
		const listeners = await listen(n8n.client);
		for (const { url, workflow } of listeners) {
			await deliver(url, () => signedEvent(), { perSecond: 20 }, 2);
			await untilQuiet(n8n.client, workflow);
		}
		started.push({ settings, n8n, listeners });
	}
	return started;
}

/** @throws when a receiver answered with success and recorded no execution */
async function measure({ client, receiver, workflow, url, load }: Measured, seconds: number) {
	const before = await untilQuiet(client, workflow);
	const start = Date.now();
	const result = await deliver(url, () => signedEvent(), load, seconds);
	const after = await untilQuiet(client, workflow);
	const recorded = after.count - before.count;
	if (recorded !== result.accepted)
		throw new Error(
			`${receiver} accepted ${result.accepted} deliveries and recorded ${recorded} executions.`,
		);
	return { ...result, executedPerSecond: (recorded / (after.endedAt - start)) * 1000 };
}

function summarize({ receiver, settings, load, results }: Measured): TriggerSeries {
	const sum = (member: 'sent' | 'accepted') =>
		results.reduce((total, result) => total + result[member], 0);
	const middle = (member: 'acceptedPerSecond' | 'executedPerSecond' | 'p50' | 'p99') =>
		median(results.map((result) => result[member]));
	return {
		receiver,
		settings,
		load,
		sent: sum('sent'),
		accepted: sum('accepted'),
		acceptedPerSecond: middle('acceptedPerSecond'),
		executedPerSecond: middle('executedPerSecond'),
		p50: middle('p50'),
		p99: middle('p99'),
		rounds: results.length,
	};
}

/**
 * The Payments Trigger, which verifies each signature and remembers each event, against what users
 * build from n8n's own nodes: the same deliveries to each in turn, round after round, in an n8n as
 * it comes and in one with the recommended settings.
 */
export async function measureTrigger(
	tarball: string,
	{ rounds, seconds }: { rounds: number; seconds: number },
	tell: (line: string) => void,
): Promise<TriggerSeries[]> {
	const both = await startBoth(tarball);
	const all: Measured[] = both.flatMap(({ settings, n8n, listeners }) =>
		[FLAT_OUT, ...RATES[settings]].flatMap((load) =>
			listeners
				.filter(({ receiver }) => load === FLAT_OUT || WITH_RATES.includes(receiver))
				.map((listener) => ({ ...listener, client: n8n.client, settings, load, results: [] })),
		),
	);
	for (let count = 1; count <= rounds; count++) {
		for (const one of all) {
			const result = await measure(one, seconds);
			one.results.push(result);
			tell(
				`trigger, ${one.settings}, ${JSON.stringify(one.load)}, round ${count}: ${one.receiver} ${result.acceptedPerSecond.toFixed(0)} per s, executed ${result.executedPerSecond.toFixed(0)} per s, p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms`,
			);
		}
	}
	for (const { n8n } of both) await n8n.stop();
	return all.map(summarize);
}

/** The Payments Trigger against each other receiver, flat out, with the same settings. */
export function compareReceivers(series: readonly TriggerSeries[]): TriggerRow[] {
	const flatOut = series.filter(({ load }) => 'connections' in load);
	return flatOut
		.filter(({ receiver }) => receiver === 'payments-trigger')
		.flatMap((ours) =>
			flatOut
				.filter(
					({ receiver, settings }) => receiver !== ours.receiver && settings === ours.settings,
				)
				.map((other) => ({
					ours: ours.receiver,
					against: other.receiver,
					settings: ours.settings,
					ratio: round(ours.acceptedPerSecond / other.acceptedPerSecond),
					oursPerSecond: round(ours.acceptedPerSecond),
					againstPerSecond: round(other.acceptedPerSecond),
				})),
		);
}
