import { startPostgres, connectTo, type Connection, type Postgres } from '../../host/postgres';
import { isNightly } from '../support/nightly';
import { randomFrom } from '../support/properties';
import {
	HISTORY_SQL,
	movement,
	Sync,
	SYNC_SQL,
	withHistory,
	type Answer,
	type Claimed,
} from '../support/sync';

/*
 * The sync in random weeks: a shop that does what shops do, n8n instances that die or answer late,
 * a service that forgets an Event ID after a day, and a person who looks things up. What the
 * service has in the end is compared with what the shop had.
 */

const [SEEDS, STEPS] = isNightly ? [10, 3000] : [2, 350];
const FIRST_SEED = Number(process.env.PROPERTY_SEED ?? 1);
const ZONES = ['UTC', 'Asia/Tokyo', 'America/New_York', 'Europe/Berlin'];
const STATUSES = ['booked', 'settled', 'returned', 'booked again'];
const HOUR = 3_600_000;

const keyOf = ({ externalId, event }: { externalId: string; event: string }) =>
	`${externalId} ${event}`;
const valuesOf = ({ amount, currency }: Claimed) => `${amount} ${currency}`;

interface Claim {
	rows: Claimed[];
	at: number;
}

class Week {
	/** What the service has recorded, in order, and when it heard of it last. */
	readonly recorded: Array<{ key: string; id: string; values: string; status: string }> = [];
	private readonly memory = new Map<string, number>();
	/** Each value that a row had. */
	private readonly versions = new Map<string, Set<string>>();
	/** Transactions of which something was refused, or looked up: their order is a person's. */
	private readonly touched = new Set<string>();
	private claims: Claim[] = [];
	private now = 0;
	private open?: Connection;

	constructor(
		private readonly sync: Sync,
		private readonly random: () => number,
		private readonly isHistory: boolean,
	) {}

	private readonly below = (count: number) => Math.floor(this.random() * count);
	private readonly pick = <T>(list: readonly T[]): T => list[this.below(list.length)];
	private readonly chance = (share: number) => this.random() < share;

	private hasRecorded = (key: string) => this.recorded.some((one) => one.key === key);

	private async noteVersions(): Promise<void> {
		const rows = await this.sync.ask<{ key: string; values: string }>(
			`select concat_ws(' ', "externalId", coalesce("eventId"::text, "externalStatus")) as key,
				amount || ' ' || currency as values from sync.transactions`,
		);
		for (const { key, values } of rows)
			this.versions.set(key, (this.versions.get(key) ?? new Set()).add(values));
	}

	/** Something that a shop does. */
	private async shop(): Promise<void> {
		const { sync } = this;
		await sync.ask(`set timezone = '${this.pick(ZONES)}'`);
		const id = `M-${this.below(12)}`;
		const amount = `${this.below(500)}.${10 + this.below(90)}`;
		const where = `where id = '${id}'`;
		const isNew = (await sync.ask(`select from movements ${where}`)).length === 0;
		const currency = this.chance(0.15) ? 'EURO' : 'EUR';
		if (isNew) await sync.book(movement(id, { amount, currency }));
		else
			await this.pick([
				async () => await sync.change(id, { amount }),
				async () => await sync.change(id, { currency }),
				async () => await sync.change(id, { status: this.pick(STATUSES) }),
				async () => await sync.change(id, { status: this.pick(STATUSES), amount }),
				async () =>
					await sync.ask(
						`update movements set status = status, amount = amount * 1.0 where id like 'M-%'`,
					),
				async () => await sync.ask(`begin; update movements set amount = 1 ${where}; rollback`),
				async () =>
					await sync.ask(`create temporary table kept as select * from movements where id like 'M-%'; delete from movements where id like 'M-%';
						insert into movements table kept; drop table kept`),
				async () => {
					if (!this.isHistory) await sync.ask(`delete from movements ${where}`);
				},
			])();
		// In a history, a correction of what was refused is one of the history.
		if (this.isHistory) await this.correctHistory();
	}

	private async correctHistory(): Promise<void> {
		await this.sync.ask(
			`update status_history h set amount = m.amount from movements m
			where m.id = h.movement and h.event_id::text in
				(select event from sync.sent where state = 'refused')`,
		);
	}

	/** A transaction that stays open for a while, of rows that nobody else touches. */
	private async openTransaction(): Promise<void> {
		if (this.open === undefined) {
			this.open = await connectTo(this.sync.server.url(this.sync.database));
			await this.open.query('begin');
			const id = `T-${this.below(3)}`;
			await this.open.query('delete from movements where id = $1', [this.isHistory ? '' : id]);
			await this.open.query(
				`insert into movements select (jsonb_populate_record(null::movements, $1)).*
				on conflict (id) do update set status = 'settled'`,
				[JSON.stringify(movement(id, { amount: `${this.below(100)}.50` }))],
			);
			return;
		}
		await this.open.query(this.chance(0.7) ? 'commit' : 'rollback');
		await this.open.end();
		this.open = undefined;
	}

	/** A claim, which takes nothing that is under way, accepted, or given up. */
	private async claim(most = 1 + this.below(12)): Promise<void> {
		await this.sync.n8n.query(`set timezone = '${this.pick(ZONES)}'`);
		const settled = await this.sync.ask<{ key: string }>(
			`select external_id || ' ' || event as key from sync.sent where state in ('accepted', 'never')`,
		);
		await this.noteVersions();
		const rows = await this.sync.claim(most);
		const isSettled = new Set(settled.map(({ key }) => key));
		const underWay = this.claims
			.filter(({ at }) => at > this.now - 15 * 60_000)
			.flatMap((claim) => claim.rows.filter((row) => !isSettled.has(keyOf(row))))
			.map(({ externalId }) => externalId);
		const ids = rows.map(({ externalId }) => externalId);
		expect(new Set([...underWay, ...ids]).size).toBe(new Set(underWay).size + ids.length);
		for (const row of rows) {
			const key = keyOf(row);
			expect(isSettled.has(key)).toBe(false);
			expect([...(this.versions.get(key) ?? [])]).toContain(valuesOf(row));
			const known = this.recorded.find((one) => one.key === key);
			if (known) expect(valuesOf(row)).toBe(known.values);
		}
		if (rows.length > 0) this.claims.push({ rows, at: this.now });
	}

	/** The service gets a row: it records it, unless it has it or refuses it. */
	private take(row: Claimed): Answer {
		const key = keyOf(row);
		if (row.currency === 'EURO' && !this.hasRecorded(key)) {
			this.touched.add(row.externalId);
			return { outcome: 'rejected', status: 422, message: 'No such currency' };
		}
		const last = this.memory.get(key);
		this.memory.set(key, this.now);
		if (last !== undefined && last > this.now - 24 * HOUR) return { outcome: 'duplicate' };
		this.recorded.push({
			...{ key, id: row.externalId, values: valuesOf(row) },
			status: row.externalStatus!,
		});
		return { outcome: 'created' };
	}

	private answerTo(row: Claimed, isCalm: boolean): Answer {
		const roll = isCalm ? 1 : this.random();
		if (roll < 0.1) return { outcome: 'notSent', message: 'Nothing responds' };
		if (roll < 0.2) return { outcome: 'rejected', status: 401, message: 'Wrong secret' };
		if (roll < 0.3) return { outcome: 'unknown', status: 500, message: 'HTTP 500' };
		const answer = this.take(row);
		if (roll < 0.4) return { outcome: 'unknown', message: 'The response was lost' };
		if (roll < 0.44 && answer.outcome !== 'rejected') {
			this.touched.add(row.externalId);
			return { outcome: 'unknown', status: 409, message: 'Conflict' };
		}
		return answer;
	}

	/** A claim ends: with its answers, some of them, or none, because its n8n was killed. */
	private async answer(isCalm = false): Promise<void> {
		if (this.claims.length === 0) return;
		const [{ rows, at }] = this.claims.splice(this.below(this.claims.length), 1);
		// An execution ends after ten minutes. What it has sent by then, it may save at any time.
		const isLate = at < this.now - 10 * 60_000;
		const isKilled = !isCalm && this.chance(0.15);
		const sent = isKilled || isLate ? rows.slice(0, this.below(rows.length + 1)) : rows;
		const answers = isLate
			? sent.map((row) => ({ ...row, outcome: 'unknown', message: 'Timeout' }))
			: sent.map((row) => ({ ...row, ...this.answerTo(row, isCalm) }));
		if (!isKilled) await this.sync.record(answers);
	}

	/** A person corrects what is refused, and looks up what the service may have. */
	private async person(isLast = false): Promise<void> {
		for (const { external_id: id, event, state } of await this.sync.open()) {
			if (state === 'refused' && (isLast || this.chance(0.5))) {
				await this.sync.ask(`update movements set currency = 'EUR' where id = $1`, id);
				if (this.isHistory) await this.correctHistory();
			}
			if (state !== 'look up' || (!isLast && this.chance(0.5))) continue;
			this.touched.add(id);
			const isThere = this.hasRecorded(`${id} ${event}`);
			const words = isThere ? ['accepted'] : ['not there', ...(isLast ? [] : ['again', 'never'])];
			await this.sync.say(this.pick(words), id, event);
		}
	}

	private async pass(minutes: number): Promise<void> {
		await this.sync.pass(`${minutes} minutes`);
		this.now += minutes * 60_000;
	}

	private async check(): Promise<void> {
		const keys = this.recorded.map(({ key }) => key);
		expect(keys.filter((key, at) => keys.indexOf(key) < at)).toEqual([]);
		const refused = await this.sync.ask<{ key: string }>(
			`select external_id || ' ' || event as key from sync.sent where state = 'refused' or doubt_since is null
				and state = 'waiting'`,
		);
		for (const { key } of refused) expect(keys).not.toContain(key);
	}

	async live(steps: number): Promise<void> {
		const today: Array<[share: number, step: () => Promise<void>]> = [
			[0.3, async () => await this.shop()],
			[0.5, async () => await this.claim()],
			[0.7, async () => await this.answer()],
			[0.9, async () => await this.pass(this.pick([0.3, 1, 1, 5, 16]))],
			[0.94, async () => await this.person()],
			[0.97, async () => await this.openTransaction()],
			[0.98, async () => await this.pass(60 * this.below(30))],
			[1, async () => void (await this.sync.ask(this.isHistory ? HISTORY_SQL : SYNC_SQL))],
		];
		for (let step = 0; step < steps; step++) {
			const roll = this.random();
			await today.find(([share]) => roll < share)![1]();
			await this.check();
		}
	}

	/** All n8n answer, and the person looks everything up, until nothing is open. */
	async end(): Promise<void> {
		if (this.open) await this.openTransaction();
		for (let minute = 0; minute < 200; minute++) {
			while (this.claims.length > 0) await this.answer(true);
			await this.person(true);
			await this.claim(500);
			while (this.claims.length > 0) await this.answer(true);
			await this.check();
			if ((await this.sync.open()).length === 0) break;
			await this.pass(11);
		}
		expect(await this.sync.open()).toEqual([]);
		const missing = await this.sync.ask<{ key: string }>(
			`select concat_ws(' ', "externalId", coalesce("eventId"::text, "externalStatus")) as key
			from sync.transactions except
			select external_id || ' ' || event from sync.sent where state = 'never'`,
		);
		expect(missing.filter(({ key }) => !this.hasRecorded(key))).toEqual([]);
		if (this.isHistory) await this.checkOrder();
	}

	/** Each status is there, once, in order. */
	private async checkOrder(): Promise<void> {
		const rows = await this.sync.ask<{ movement: string; statuses: string[] }>(
			'select movement, array_agg(status order by id) as statuses from status_history group by 1',
		);
		const untouched = rows.filter((row) => !this.touched.has(row.movement));
		for (const row of untouched)
			expect(
				this.recorded.filter(({ id }) => id === row.movement).map(({ status }) => status),
			).toEqual(row.statuses);
	}
}

let server: Postgres;
beforeAll(async () => void (server = await startPostgres()), 120_000);
afterAll(async () => await server?.stop());

const seeds = Array.from({ length: SEEDS }, (_, index) => FIRST_SEED + index);
test.each(seeds.flatMap((seed) => [false, true].map((isHistory) => ({ seed, isHistory }))))(
	'%j',
	async ({ seed, isHistory }) => {
		const sync = await Sync.start(server, isHistory ? withHistory() : {});
		const week = new Week(sync, randomFrom(seed), isHistory);
		try {
			await week.live(STEPS);
			await week.end();
			expect(week.recorded.length).toBeGreaterThan(10);
		} finally {
			await sync.stop();
		}
	},
	20 * 60_000,
);
