import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres, type Connection } from '../../host/postgres';
import { waitUntil } from '../../host/waitUntil';
import { Outbox, type Claimed, type Said } from '../support/outbox';
import { compare, endPauses, Shop } from '../support/outboxShop';

/*
 * The outbox while several executions of *Send* share it, each of which can end at any point, and
 * while PostgreSQL crashes. test/queue/queue.test.ts does the same to n8n's workers.
 */

const EVENTS = 400;
const SENDERS = 4;
/** Also how soon the limit of a minute is used again, so that the test takes seconds. */
const LEASE = '1 second';

/** A service that records each Event ID once, and of which 13 % of the answers go wrong. */
class Service {
	readonly stories = new Map<string, string[]>();
	private readonly eventIds = new Set<string>();
	duplicates = 0;
	isGone = false;

	take({ eventId, externalId, externalStatus, amount }: Claimed): Omit<Said, 'event'> {
		if (this.isGone) return { outcome: 'notSent', message: 'Nothing responds' };
		const roll = Math.random();
		if (roll < 0.02) return { outcome: 'notSent', status: 429, message: 'Too many requests' };
		if (roll < 0.06) return { outcome: 'unknown', status: 502, message: 'Bad gateway' };
		const isNew = !this.eventIds.has(eventId);
		if (isNew) {
			this.eventIds.add(eventId);
			const story = this.stories.get(externalId) ?? [];
			this.stories.set(externalId, [...story, `${externalStatus} ${amount}`]);
		} else this.duplicates++;
		if (roll < 0.13) return { outcome: 'unknown', message: 'The response was lost' };
		return { outcome: isNew ? 'created' : 'duplicate', status: 202, message: '' };
	}
}

test(`${EVENTS} events, ${SENDERS} senders that die, 13 % faults, a crash and a restart of PostgreSQL, an outage`, async () => {
	const outbox = await Outbox.start(await startPostgres());
	const service = new Service();
	let isOver = false;
	let kills = 0;

	/** One execution of *Send*, which dies in one of twelve cases, and leaves its claim behind. */
	async function execute(connection: Connection): Promise<void> {
		const sql = `select * from outbox.claim(150, '${LEASE}')`;
		const claimed = (await connection.query<Claimed>(sql)).rows;
		const dies = claimed.length > 0 && Math.random() < 1 / 12;
		const answered = dies ? Math.floor(Math.random() * (claimed.length + 1)) : claimed.length;
		const said: Said[] = [];
		for (const row of claimed.slice(0, answered)) {
			said.push({ event: row.eventId, ...service.take(row) });
			if (said.length % 10 === 0) await wait(Math.random() * 20);
		}
		if (dies) kills++;
		else if (said.length > 0) await outbox.record(said, connection);
		await wait(10);
	}
	async function keepSending(): Promise<void> {
		let connection: Connection | undefined;
		while (!isOver) {
			try {
				connection ??= await outbox.anotherN8n();
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

	const senders = Array.from({ length: SENDERS }, keepSending);
	const shop = new Shop(outbox, EVENTS);
	const booking = shop.open(EVENTS / 5);
	for (const [share, crash] of [
		[1 / 3, true],
		[2 / 3, false],
	] as const) {
		await waitUntil('a part is booked', () => shop.booked >= EVENTS * share);
		await outbox.restart(crash);
		service.isGone = !crash;
	}
	await wait(1000);
	service.isGone = false;
	await booking;
	const isDone = async () => {
		await endPauses(outbox);
		return (await outbox.ask('select from outbox.open')).length === 0;
	};
	await waitUntil('all are recorded', isDone, { timeoutMs: 120_000, intervalMs: 200 });
	isOver = true;
	await Promise.all(senders);

	const result = compare(shop.stories, service.stories);
	await outbox.stop();
	await outbox.server.stop();
	expect(result).toEqual({ lost: 0, doubled: 0, wrong: 0, outOfOrder: 0 });
	expect(kills).toBeGreaterThan(0);
	expect(service.duplicates).toBeGreaterThan(0);
}, 300_000);
