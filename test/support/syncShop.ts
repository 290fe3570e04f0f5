import { setTimeout as wait } from 'node:timers/promises';
import type { WorkflowJson } from '../../host/n8n/client';
import type { SandboxClient } from '../../sandbox/client';
import type { Faults, StoredTransaction } from '../../sandbox/types';
import { connectTo } from '../../host/postgres';
import { book, movement, type Sync } from './sync';

/*
 * A shop whose movements change their statuses while n8n, PostgreSQL, and the service fail, and
 * what came of each at the service.
 */

/** 13 % of the requests: half of them are recorded, and nobody hears of it. */
export const FAULTS: Faults = {
	statuses: [
		{ status: 500, rate: 0.02, processed: true },
		{ status: 502, rate: 0.02 },
		{ status: 504, rate: 0.02, processed: true },
		{ status: 503, rate: 0.02, retryAfter: 1 },
		{ status: 429, rate: 0.02, retryAfter: 1 },
	],
	dropResponses: 0.03,
	recordsOnly: true,
};

/** The statuses of a movement in turn; one comes back. */
const LIVES = [
	['booked'],
	['booked', 'settled'],
	['pending', 'failed', 'pending', 'settled'],
	['booked', 'settled', 'returned'],
];

/** What a movement has been at the shop, or is at the service, in order. */
type Story = string[];

/** Books so many events, at a steady pace, whatever happens to the database meanwhile. */
export class Shop {
	readonly stories = new Map<string, Story>();
	booked = 0;

	constructor(
		private readonly sync: Sync,
		readonly events: number,
	) {}

	async open(perSecond: number): Promise<void> {
		const open: Array<{ id: string; statuses: string[] }> = [];
		const started = Date.now();
		let connection = await connectTo(this.sync.server.url(this.sync.database));
		for (let number = 0; this.booked < this.events;) {
			const early = (this.booked / perSecond) * 1000 - (Date.now() - started);
			if (early > 5) await wait(early);
			const isNew = open.length < 20 || (open.length < 200 && number % 3 === 0);
			const life = isNew
				? { id: `m-${number}`, statuses: [...LIVES[number % LIVES.length]] }
				: open.shift()!;
			const status = life.statuses[0];
			const amount = `${(number % 500) + 1}.${10 + (number % 90)}`;
			try {
				if (isNew) await book(connection, movement(life.id, { status, amount }));
				else
					await connection.query('update public.movements set status = $2 where id = $1', [
						life.id,
						status,
					]);
			} catch {
				// The database is gone. Whether this was booked is asked before it's booked again.
				connection = await this.reconnect();
				const { rows } = await connection.query<{ status: string; amount: string }>(
					'select status, amount from public.movements where id = $1',
					[life.id],
				);
				if (rows[0]?.status !== status) {
					if (!isNew) open.unshift(life);
					continue;
				}
			}
			life.statuses.shift();
			this.booked++;
			const [first = `? ${amount}`] = this.stories.get(life.id) ?? [];
			const story = `${status} ${first.split(' ')[1]}`;
			this.stories.set(life.id, [...(this.stories.get(life.id) ?? []), story]);
			if (isNew) number++;
			if (life.statuses.length > 0) open.push(life);
		}
		await connection.end();
	}

	private async reconnect() {
		for (;;) {
			try {
				return await connectTo(this.sync.server.url(this.sync.database));
			} catch {
				await wait(200);
			}
		}
	}
}

/** Collects what a service records, which keeps only the newest 3,000. */
export class Records {
	private readonly byEventId = new Map<string, StoredTransaction>();
	private isDone = false;
	private readonly ended: Promise<void>;

	constructor(private readonly service: SandboxClient) {
		this.ended = this.follow();
	}

	private async follow(): Promise<void> {
		while (!this.isDone) {
			await this.collect().catch(() => {}); // It refuses connections now and then.
			await wait(1000);
		}
	}

	private async collect(): Promise<void> {
		const { items } = await this.service.listTransactions({ limit: 2000 });
		for (const one of items.reverse()) this.byEventId.set(one.eventId, one);
	}

	/** What the service has of each movement, in the order of recording. */
	async stories(): Promise<Map<string, Story>> {
		this.isDone = true;
		await this.ended;
		await this.collect();
		const stories = new Map<string, Story>();
		for (const { transaction } of this.byEventId.values()) {
			const { externalId, externalStatus, amount } = transaction;
			const story = `${externalStatus} ${amount}`;
			stories.set(externalId, [...(stories.get(externalId) ?? []), story]);
		}
		return stories;
	}
}

const count = (story: Story, one: string) => story.filter((other) => other === one).length;

/** Compares what was booked with what is recorded. */
export function compare(booked: Map<string, Story>, recorded: Map<string, Story>) {
	const result = { lost: 0, doubled: 0, wrong: 0, outOfOrder: 0 };
	for (const [id, story] of booked) {
		const seen = recorded.get(id) ?? [];
		for (const one of new Set([...story, ...seen])) {
			const [expected, actual] = [count(story, one), count(seen, one)];
			if (expected === 0) result.wrong += actual;
			else if (actual < expected) result.lost += expected - actual;
			else result.doubled += actual - expected;
		}
		const sameEvents = [...story].sort().join() === [...seen].sort().join();
		if (sameEvents && story.join() !== seen.join()) result.outOfOrder++;
	}
	for (const id of recorded.keys()) if (!booked.has(id)) result.wrong++;
	return result;
}

/** Changes *Send* so that a test needn't wait: how often it runs, and how much it claims. */
export function hurry(send: WorkflowJson, { seconds = 5, most = 300 } = {}) {
	for (const node of send.nodes) {
		if (node.name === 'Every Minute')
			node.parameters = { rule: { interval: [{ field: 'seconds', secondsInterval: seconds }] } };
		if (node.name === 'Claim') node.parameters.query = `select * from sync.claim(${most})`;
	}
	return send;
}
