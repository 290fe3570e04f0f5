import { setTimeout as wait } from 'node:timers/promises';
import type { N8nClient, StoredWorkflow } from '../host/n8n/client';
import { isOver } from '../host/n8n/executions';
import { startN8n } from '../host/n8n/startN8n';
import { deliver } from './load';
import { median, round } from './numbers';
import { listen, type Receiver } from './receivers';

/** The settings of n8n that deploy/queue recommends. */
const SETTINGS = {
	default: {},
	recommended: {
		N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
		N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true',
	},
};
type Settings = keyof typeof SETTINGS;

/** Deliveries that a receiver accepts per second (median). */
export interface TriggerRow {
	receiver: Receiver;
	settings: Settings;
	perSecond: number;
}

/** Waits until all executions that were started are over; resolves with how many there are. */
async function untilQuiet(n8n: N8nClient, workflow: StoredWorkflow): Promise<number> {
	for (let before = -1, tries = 0; ; await wait(250)) {
		const { count, results } = await n8n.executions(workflow);
		if (count === before && results.every(isOver)) return count;
		if (++tries > 1200)
			throw new Error(`The executions of "${workflow.name}" were not over after 5 minutes.`);
		before = count;
	}
}

/**
 * The Payments Trigger, which verifies each signature and recognizes duplicates, against what users
 * build from n8n's own nodes: the same deliveries to each in turn, round after round, in an n8n as
 * it comes and in one with the recommended settings.
 */
export async function measureTrigger(
	tarball: string,
	{ rounds, seconds }: { rounds: number; seconds: number },
	tell: (line: string) => void,
): Promise<TriggerRow[]> {
	const rows: TriggerRow[] = [];
	for (const settings of Object.keys(SETTINGS) as Settings[]) {
		const n8n = await startN8n({ tarball, env: SETTINGS[settings] });
		await n8n.client.setUpOwner();
		const listeners = await listen(n8n.client);
		const results = listeners.map(({ receiver }) => ({ receiver, rates: [] as number[] }));
		// The first round is unmeasured: n8n still compiles.
		for (let count = 0; count <= rounds; count++) {
			for (const [index, { receiver, workflow, url }] of listeners.entries()) {
				const before = await untilQuiet(n8n.client, workflow);
				const { accepted, acceptedPerSecond } = await deliver(url, seconds);
				const recorded = (await untilQuiet(n8n.client, workflow)) - before;
				if (recorded !== accepted)
					throw new Error(
						`${receiver} accepted ${accepted} deliveries and recorded ${recorded} executions.`,
					);
				if (count === 0) continue;
				results[index].rates.push(acceptedPerSecond);
				tell(`trigger, ${settings}, ${receiver}: ${acceptedPerSecond.toFixed(0)} per second`);
			}
		}
		await n8n.stop();
		for (const { receiver, rates } of results)
			rows.push({ receiver, settings, perSecond: round(median(rates)) });
	}
	return rows;
}
