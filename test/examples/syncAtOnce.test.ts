import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres, type Connection } from '../../host/postgres';
import { waitUntil } from '../../host/waitUntil';
import { Sync, withHistory, type Answer, type Claimed } from '../support/sync';
import { compare, Shop } from '../support/syncShop';

/*
 * The sync while several executions of *Send* share it, each of which can end at any point, and
 * while PostgreSQL crashes. test/queue/queue.test.ts does the same to n8n's workers.
 */

const EVENTS = 400;
const SENDERS = 4;

/** A service that records each Event ID once, and of which 13 % of the answers go wrong. */
class Service {
	readonly stories = new Map<string, string[]>();
	private readonly eventIds = new Set<string>();
	duplicates = 0;
	isGone = false;

	take({ event, externalId, externalStatus, amount }: Claimed): Answer {
		if (this.isGone) return { outcome: 'notSent', message: 'Nothing responds' };
		const roll = Math.random();
		if (roll < 0.02) return { outcome: 'notSent', status: 429, message: 'Too many requests' };
		if (roll < 0.06) return { outcome: 'unknown', status: 502, message: 'Bad gateway' };
		const isNew = !this.eventIds.has(event);
		if (isNew) {
			this.eventIds.add(event);
			const story = this.stories.get(externalId) ?? [];
			this.stories.set(externalId, [...story, `${externalStatus} ${amount}`]);
		} else this.duplicates++;
		if (roll < 0.13) return { outcome: 'unknown', message: 'The response was lost' };
		return { outcome: isNew ? 'created' : 'duplicate', status: 202, message: '' };
	}
}

test(`${EVENTS} events, ${SENDERS} senders that die, 13 % faults, a crash and a restart of PostgreSQL, an outage`, async () => {
	const sync = await Sync.start(await startPostgres(), withHistory());
	const service = new Service();
	let isOver = false;
	let kills = 0;

	/** One execution of *Send*, which dies in one of twelve cases, and leaves its claim behind. */
	async function execute(connection: Connection): Promise<void> {
		const sql = 'select * from sync.claim(150)';
		const claimed = (await connection.query<Claimed>(sql)).rows;
		const dies = claimed.length > 0 && Math.random() < 1 / 12;
		const answered = dies ? Math.floor(Math.random() * (claimed.length + 1)) : claimed.length;
		const said: object[] = [];
		for (const row of claimed.slice(0, answered)) {
			said.push({ ...row, ...service.take(row) });
			if (said.length % 10 === 0) await wait(Math.random() * 20);
		}
		if (dies) kills++;
		else if (said.length > 0) await sync.record(said, connection);
		await wait(10);
	}
	async function keepSending(): Promise<void> {
		let connection: Connection | undefined;
		while (!isOver) {
			try {
				connection ??= await sync.anotherN8n();
				await execute(connection);
			} catch {
				// PostgreSQL is gone for a moment, and with it what was claimed or would be recorded.
				await connection?.end().catch(() => {});
				connection = undefined;
				await wait(100);
			}
		}
		await connection?.end();
	}

	// Time runs fast, so that pauses and the limit of a minute take seconds, and leases end early.
	const senders = Array.from({ length: SENDERS }, keepSending);
	const shop = new Shop(sync, EVENTS);
	const booking = shop.open(EVENTS / 5);
	for (const [share, crash] of [
		[1 / 3, true],
		[2 / 3, false],
	] as const) {
		await waitUntil('a part is booked', () => shop.booked >= EVENTS * share);
		await sync.restart(crash);
		service.isGone = !crash;
	}
	await wait(1000);
	service.isGone = false;
	await booking;
	const isDone = async () => {
		await sync.pass('20 seconds');
		return (await sync.ask('select from sync.open')).length === 0;
	};
	await waitUntil('all are recorded', isDone, { timeoutMs: 120_000, intervalMs: 200 });
	isOver = true;
	await Promise.all(senders);

	const result = compare(shop.stories, service.stories);
	await sync.stop();
	await sync.server.stop();
	expect(result).toEqual({ lost: 0, doubled: 0, wrong: 0, outOfOrder: 0 });
	expect(kills).toBeGreaterThan(0);
	expect(service.duplicates).toBeGreaterThan(0);
}, 300_000);
