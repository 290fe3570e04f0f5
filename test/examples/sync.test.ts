import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres, type Connection, type Postgres } from '../../host/postgres';
import { FIELDS } from '../../nodes/Payments/Transaction';
import {
	fromReadme,
	HISTORY_SQL,
	movement,
	SHOP_SQL,
	Sync,
	SYNC_SQL,
	type SyncSql,
	withHistory,
	withView,
	type Answer,
	type Claimed,
} from '../support/sync';

/* The rules of the sync, in PostgreSQL, with the rights that n8n has there. */

let server: Postgres;
let sync: Sync;
beforeAll(async () => {
	server = await startPostgres();
	sync = await Sync.start(server);
	await sync.ask('create domain public.rounded as real');
}, 120_000);
afterAll(async () => {
	await sync?.stop();
	await server?.stop();
});
beforeEach(async () => await sync.clear());

const CREATED: Answer = { outcome: 'created', message: 'Transaction created' };
const UNKNOWN: Answer = { outcome: 'unknown', status: 500, message: 'HTTP 500' };
const NOT_SENT: Answer = { outcome: 'notSent', message: 'Nothing responds' };
const INVALID: Answer = { outcome: 'invalid', message: "'Currency': it has no code" };
const REFUSED: Answer = { outcome: 'rejected', status: 422, message: 'No such account' };
const FORBIDDEN: Answer = { outcome: 'rejected', status: 401, message: 'Wrong secret' };
const CONFLICT: Answer = { outcome: 'unknown', status: 409, message: '409 TX-4711' };

const of = (rows: Claimed[], ...names: string[]) =>
	rows.map((row) => names.map((name) => row[name]).join(' '));
const what = (rows: Claimed[]) => of(rows, 'externalId', 'externalStatus', 'amount');

/** Sends until nothing goes for an hour. Returns what was sent, in order. */
async function sendAll(answer: Answer = CREATED, one = sync): Promise<Claimed[]> {
	const sent: Claimed[] = [];
	for (let minute = 0; minute < 60; minute += 6) {
		sent.push(...(await one.send(answer)));
		await one.pass('6 minutes');
	}
	return sent;
}

/** Another sync, with its own table or view. */
async function withSync(sql: SyncSql, run: (one: Sync) => Promise<void>) {
	const one = await Sync.start(server, sql);
	try {
		await run(one);
	} finally {
		await one.stop();
	}
}

const SELECT = /create view sync\.transactions as\n([^;]*);/.exec(SYNC_SQL)![1];
const viewWith = (from: string | RegExp, to: string) => {
	const changed = SELECT.replace(from, to);
	expect(changed).not.toBe(SELECT);
	return withView(changed);
};

describe('a row of the view', () => {
	test('goes with the names of the interface, as exact text, and without an Event ID', async () => {
		const created_at = '2026-11-02T10:15:30.123Z';
		await sync.book(movement('S-1', { created_at, amount: '12345678901234567.8900' }));
		const [{ event, attempt, ...sent }] = await sync.claim();
		expect([event, attempt]).toEqual(['booked', 1]);
		expect(Object.keys(sent).sort()).toEqual([...FIELDS].sort());
		expect(sent).toEqual({
			...{ eventId: null, baseAmount: null, receivedAt: null },
			externalId: 'S-1',
			externalStatus: 'booked',
			reference: 'Order S-1',
			amount: '12345678901234567.8900',
			currency: 'EUR',
			paymentScheme: 'SCT',
			'sender.externalEntityId': 'lena-fischer',
			'sender.externalPaymentChannelId': 'lena-fischer-card',
			'sender.countryCode': 'DE',
			'recipient.externalEntityId': 'harbour-bakery',
			'recipient.externalPaymentChannelId': 'harbour-bakery-till',
			'recipient.countryCode': 'DK',
			externalCreatedAt: new Date(created_at),
		});
	});

	test.each([
		['a save without a change', 'update movements set status = status'],
		[
			'an ORM that saves all columns, from another zone',
			`set timezone = 'Asia/Tokyo'; update movements
			set status = 'booked', amount = 25.010, created_at = created_at::text::timestamptz; reset timezone`,
		],
		['another amount', 'update movements set amount = 99'],
		[
			'a new column',
			'alter table movements add column if not exists note text; update movements set note = 1',
		],
		[
			'a table that is emptied and loaded anew',
			`create temporary table kept as table movements;
			truncate movements; insert into movements table kept; drop table kept`,
		],
		[
			'rows that move, and come back',
			`begin; delete from movements; rollback;
			with moved as (delete from movements returning *) select count(*) from moved;
			insert into movements select (jsonb_populate_record(null::movements, body || jsonb_build_object(
				'id', external_id, 'status', event, 'scheme', 'SCT', 'created_at', now(), 'sender', '', 'sender_account', '',
				'sender_country', '', 'recipient', '', 'recipient_account', '', 'recipient_country', ''))).* from sync.sent`,
		],
		['the file, run again', SYNC_SQL],
		['old rows that are deleted', 'delete from movements'],
		['a change and back', `update movements set amount = 20; update movements set amount = 25.01`],
	])('that is accepted never goes again: %s', async (_, sql) => {
		await sync.book(movement('S-1'), movement('S-2'));
		expect(await sendAll()).toHaveLength(2);
		await sync.ask(sql);
		expect(await sendAll()).toEqual([]);
		expect(await sync.open()).toEqual([]);
		expect(await sync.tell()).toEqual([]);
	});

	test('goes in each new status, and a status that comes back is the same event', async () => {
		await sync.book(movement('S-1', { status: 'pending' }));
		const sent = [...(await sync.send(CREATED))];
		for (const status of ['failed', 'pending', 'paid']) {
			await sync.change('S-1', { status });
			sent.push(...(await sendAll()));
		}
		expect(of(sent, 'externalStatus')).toEqual(['pending', 'failed', 'paid']);
	});

	test('with another External ID is another transaction', async () => {
		await sync.book(movement('S-1'));
		await sendAll();
		await sync.change('S-1', { id: 'S-2' });
		expect(what(await sendAll())).toEqual(['S-2 booked 25.01']);
	});

	test('of a transaction that is rolled back, or still open, does not go', async () => {
		await sync.ask('begin');
		await sync.book(movement('S-1'));
		expect(await sync.claim()).toEqual([]);
		await sync.ask('rollback');
		expect(await sync.claim()).toEqual([]);
	});

	test('goes once, 10,000 that one UPDATE has touched as well', async () => {
		await sync.ask(
			`insert into movements select 'M-' || i, m.status, m.amount, m.currency, m.reference, m.scheme,
				m.created_at, m.sender, m.sender_account, m.sender_country, m.recipient, m.recipient_account,
				m.recipient_country from generate_series(1, 10000) i, jsonb_populate_record(null::movements, $1) m`,
			JSON.stringify(movement('')),
		);
		expect(await sync.send(CREATED, 100_000)).toHaveLength(10_000);
		await sync.pass('1 minute');
		await sync.ask(`update movements set amount = amount + 1, reference = 'x'`);
		expect(await sync.claim(100_000)).toEqual([]);
	});
});

describe('what the service may have', () => {
	test.each([
		['created', CREATED, []],
		['duplicate', { outcome: 'duplicate' }, []],
		['unknown', UNKNOWN, ['S-1 booked 25.01']],
		['no answer', {}, ['S-1 booked 25.01']],
		['not sent', NOT_SENT, ['S-1 booked 26.01']],
		['a dry run', { outcome: 'dryRun' }, ['S-1 booked 26.01']],
		['wrong secret', FORBIDDEN, ['S-1 booked 26.01']],
		['invalid', INVALID, ['S-1 booked 26.01']],
		['refused', REFUSED, ['S-1 booked 26.01']],
		['unclear', CONFLICT, []],
	])('goes as it was, and else as it is now: %s', async (_, answer, next) => {
		await sync.book(movement('S-1'));
		await sync.send(answer);
		await sync.change('S-1', { amount: '26.01' });
		await sync.pass('1 minute');
		expect(what(await sync.claim())).toEqual(next);
	});

	test('is corrected while it is sent: it goes as it was', async () => {
		await sync.book(movement('S-1'));
		await sync.claim();
		await sync.change('S-1', { amount: '26.01' });
		expect(await sync.claim()).toEqual([]);
		await sync.pass('16 minutes');
		expect(what(await sync.claim())).toEqual(['S-1 booked 25.01']);
	});

	test('changes its status: it goes as it was, and then the new one', async () => {
		await sync.book(movement('S-1'));
		await sync.send(UNKNOWN);
		await sync.change('S-1', { status: 'settled', amount: '30' });
		expect(await sync.claim()).toEqual([]);
		expect(what(await sendAll())).toEqual(['S-1 booked 25.01', 'S-1 settled 30']);
	});

	test('goes for 23 hours, then a person looks', async () => {
		await sync.book(movement('S-1'), movement('S-2'));
		await sync.claim(1);
		await sync.send(UNKNOWN, 2);
		await sync.pass('22 hours 50 minutes');
		expect(await sync.send(UNKNOWN)).toHaveLength(2);
		await sync.pass('11 minutes');
		expect(await sync.claim()).toEqual([]);
		expect(await sync.open()).toMatchObject([
			{ state: 'look up', why: 'There was no answer for 23 hours.', needs_a_person: true },
			{ state: 'look up' },
		]);
	});

	test.each([
		['unknown, then refused', [UNKNOWN, REFUSED], 'look up'],
		['unknown, then invalid', [UNKNOWN, INVALID], 'look up'],
		['unknown, then not sent', [UNKNOWN, NOT_SENT], 'waiting'],
		['not sent, then refused', [NOT_SENT, REFUSED], 'refused'],
		['wrong secret, then refused', [FORBIDDEN, REFUSED], 'refused'],
		['unknown, not sent, then refused', [UNKNOWN, NOT_SENT, REFUSED], 'look up'],
	])('a refusal settles only its own attempt: %s', async (_, answers, state) => {
		await sync.book(movement('S-1'));
		for (const answer of answers) {
			expect(await sync.send(answer)).toHaveLength(1);
			await sync.pass('2 minutes');
		}
		expect(await sync.states()).toEqual([`S-1 booked: ${state}`]);
		await sync.change('S-1', { amount: '26.01' });
		const settled = state === 'refused' ? ['S-1 booked 26.01'] : [];
		expect(what(await sync.claim())).toEqual(state === 'waiting' ? ['S-1 booked 25.01'] : settled);
	});

	test.each([
		['deleted', 'delete from movements'],
		['beyond the window', `update movements set created_at = '2025-12-31'`],
		['renamed', `update movements set id = 'S-2'`],
	])('and leaves the view is told, and does not go: %s', async (_, sql) => {
		await sync.book(movement('S-1'));
		await sync.send(UNKNOWN);
		await sync.ask(sql);
		await sync.pass('1 minute');
		expect((await sync.open())[0]).toMatchObject({
			...{ external_id: 'S-1', state: 'look up', why: 'The view no longer has it.' },
		});
		expect(await sync.tell()).toEqual([
			'Needs a person: S-1 booked: look up: The view no longer has it.',
		]);
		expect(of(await sync.claim(), 'externalId')).not.toContain('S-1');
		await sync.say('again', 'S-1');
		expect(of(await sync.send(CREATED), 'externalId')).toContain('S-1');
	});

	test('and certainly has not is forgotten when it leaves the view', async () => {
		await sync.book(movement('S-1'), movement('S-2'));
		await sync.send(REFUSED, 1);
		await sync.send(NOT_SENT, 2);
		await sync.ask('delete from movements');
		expect(await sync.open()).toEqual([]);
	});
});

describe('an answer', () => {
	test.each<[answer: Answer, state: string | undefined]>([
		[CREATED, undefined],
		[{ outcome: 'duplicate', status: 409 }, undefined],
		[{}, 'waiting'],
		...[undefined, 200, 500, 503].map((status): [Answer, string] => [
			{ outcome: 'unknown', status },
			'waiting',
		]),
		...[400, 409, 422].map((status): [Answer, string] => [
			{ outcome: 'unknown', status },
			'look up',
		]),
		[NOT_SENT, 'waiting'],
		[{ outcome: 'dryRun' }, 'waiting'],
		[INVALID, 'refused'],
		...[400, 402, 413, 422, 451].map((status): [Answer, string] => [
			{ outcome: 'rejected', status },
			'refused',
		]),
		...[401, 403, 404, 405, 501].map((status): [Answer, string] => [
			{ outcome: 'rejected', status },
			'waiting',
		]),
	])('%j: %s', async (answer, state) => {
		await sync.book(movement('S-1'));
		const said = { message: 'What the node says', ...answer };
		await sync.send(said);
		expect(await sync.open()).toMatchObject(state ? [{ state, why: said.message }] : []);
		await sync.pass('30 minutes');
		expect(await sync.claim()).toHaveLength(state === 'waiting' ? 1 : 0);
	});

	test('that is late belongs to its attempt, but for one that says that the service has it', async () => {
		await sync.book(movement('S-1'));
		const first = await sync.claim();
		await sync.pass('16 minutes');
		const second = await sync.claim();
		for (const late of [NOT_SENT, REFUSED, INVALID, UNKNOWN, FORBIDDEN]) {
			await sync.answer(first, late);
			expect(await sync.states()).toEqual(['S-1 booked: sending']);
		}
		await sync.answer(second, NOT_SENT);
		await sync.change('S-1', { amount: '26.01' });
		await sync.pass('1 minute');
		expect(what(await sync.claim())).toEqual(['S-1 booked 25.01']);
		await sync.answer(first, CREATED);
		await sync.answer(second, REFUSED);
		expect(await sync.open()).toEqual([]);
	});

	test.each([
		['never', 'S-1 booked: none'],
		['not there', 'S-1 booked: not there'],
	])('does not overrule a person who said %s meanwhile', async (said) => {
		await sync.book(movement('S-1'));
		const claimed = await sync.claim();
		await sync.say(said, 'S-1');
		await sync.answer(claimed, REFUSED);
		expect(await sync.ask('select state from sync.sent')).toEqual([{ state: said }]);
		await sync.answer(claimed, CREATED);
		expect(await sync.ask('select state from sync.sent')).toEqual([{ state: 'accepted' }]);
	});

	test.each(['C:\\u0000a', 'C:\\\\udb99', 'A  ', "O'Neil $1"])(
		'is saved for the External ID %j, and a char(n) one',
		async (id) => {
			const shop = SHOP_SQL.replace('id text primary key', 'id char(20) primary key');
			await withSync({ shop }, async (one) => {
				await one.book(movement(id), movement('S-1'));
				expect(await one.send(CREATED)).toHaveLength(2);
				expect(await one.open()).toEqual([]);
			});
			await sync.book(movement(id));
			await sync.send(CREATED);
			expect(await sync.open()).toEqual([]);
		},
	);

	test('about a row that was never claimed says nothing', async () => {
		await sync.book(movement('S-1'));
		await sync.record([{ externalId: 'S-1', event: 'booked', attempt: 0, ...CREATED }]);
		expect(await sync.claim()).toHaveLength(1);
	});

	test('with a status that is no number stops no other', async () => {
		await sync.book(movement('S-1'), movement('S-2'));
		const claimed = await sync.claim();
		const answers = [{ outcome: 'unknown', status: 'none' }, CREATED];
		await sync.record(claimed.map((row, at) => ({ ...row, eventId: undefined, ...answers[at] })));
		expect(await sync.states()).toEqual(['S-1 booked: waiting']);
	});

	test.each(['half \ud83d an emoji', 'nul \u0000', '\\u0000', '\\\u0000', 'quote " \' $1'])(
		'with text that PostgreSQL cannot store stops no other: %j',
		async (message) => {
			await sync.book(movement('S-1'), movement('S-2'));
			const [one, two] = await sync.claim();
			await sync.record([
				{ ...one, ...REFUSED, message },
				{ ...two, ...CREATED },
			]);
			expect(await sync.states()).toEqual(['S-1 booked: refused']);
		},
	);

	test('pauses grow up to 10 minutes; what was not sent goes in the next minute', async () => {
		await sync.book(movement('S-1'));
		const pauses: number[] = [];
		for (let attempt = 0; attempt < 8; attempt++) {
			await sync.send(UNKNOWN);
			const [{ pause }] = await sync.ask<{ pause: string }>(
				'select extract(epoch from due_at - now()) as pause from sync.sent',
			);
			pauses.push(Math.round(Number(pause) / 30) * 30);
			await sync.pass('1 hour');
		}
		expect(pauses).toEqual([60, 120, 240, 480, 600, 600, 600, 600]);
		await sync.send(NOT_SENT);
		expect(await sync.claim()).toEqual([]);
		await sync.pass('55 seconds');
		expect(await sync.claim()).toHaveLength(1);
	});
});

describe('what is refused', () => {
	test('goes when it has changed, also in another zone of the session, and not before', async () => {
		await sync.book(movement('S-1', { currency: 'EURO' }), movement('S-2'));
		await sync.send(INVALID);
		await sync.pass('1 day');
		expect(await sync.claim()).toEqual([]);
		await sync.ask(`set timezone = 'Asia/Tokyo'; update movements set amount = amount * 1.00`);
		expect(await sync.states()).toEqual(['S-1 booked: refused', 'S-2 booked: refused']);
		await sync.ask('reset timezone');
		const elsewhere = await sync.anotherN8n();
		await elsewhere.query(`set timezone = 'America/New_York'`);
		expect(await sync.claim(500, elsewhere)).toEqual([]);
		await elsewhere.end();
		await sync.change('S-1', { currency: 'EUR' });
		expect(await sync.states()).toEqual(['S-1 booked: new', 'S-2 booked: refused']);
		expect(of(await sync.send(CREATED), 'externalId', 'currency')).toEqual(['S-1 EUR']);
	});

	test('keeps back nothing else, not even a later status', async () => {
		await sync.book(movement('S-1'));
		await sync.send(REFUSED);
		await sync.change('S-1', { status: 'settled', amount: '30' });
		expect(what(await sendAll())).toEqual(['S-1 settled 30']);
		expect(await sync.open()).toEqual([]);
	});
});

describe('a claim', () => {
	const numbered = (count: number, changes = {}) =>
		Array.from({ length: count }, (_, index) => movement(`S-${index}`, changes));

	test('gives what is new, then what was tried, then what is old', async () => {
		const old = { created_at: '2026-02-02T10:00:00Z' };
		await sync.book(movement('H-1', old), movement('T-1'), movement('H-2', old));
		expect(of(await sync.send(UNKNOWN, 1), 'externalId')).toEqual(['T-1']);
		await sync.book(movement('K-1', { ...old, status: 'settled' }));
		await sync.ask(
			`insert into sync.sent (external_id, event, state) values ('K-1', 'booked', 'accepted')`,
		);
		for (const next of ['K-1', 'T-1', 'H-1', 'H-2']) {
			await sync.pass('1 minute');
			expect(of(await sync.send(CREATED, 1), 'externalId')).toEqual([next]);
		}
	});

	test('gives what is new before old rows that are changed all at once', async () => {
		const old = numbered(20, { created_at: '2026-02-02T10:00:00Z' });
		await sync.book(...old);
		await sync.send(CREATED);
		await sync.pass('1 minute');
		await sync.ask(`update movements set status = 'settled'`);
		await sync.book(movement('N-1'));
		expect(of(await sync.claim(2), 'externalId')).toContain('N-1');
	});

	test('counts the minute whatever became of it', async () => {
		await sync.book(...numbered(20));
		for (const [answer, most, count] of [
			[CREATED, 5, 5],
			[INVALID, 5, 0],
			[INVALID, 10, 5],
			[NOT_SENT, 10, 0],
		] as const)
			expect(await sync.send(answer, most)).toHaveLength(count);
	});

	test('holds a row as long as its lease', async () => {
		await sync.book(movement('S-1'));
		await sync.n8n.query(`select * from sync.claim(1, '2 hours')`);
		await sync.pass('119 minutes');
		expect(await sync.claim()).toEqual([]);
		await sync.pass('2 minutes');
		expect(await sync.claim()).toHaveLength(1);
	});

	test.each(['accepted', 'never'])(
		'has what a person says meanwhile wait until it has ended: %s',
		async (said) => {
			// The view takes half a second.
			const slow = viewWith(
				'where created_at',
				'where (select pg_sleep(0.5)) is not null and created_at',
			);
			await withSync({ sync: slow }, async (one) => {
				await one.book(movement('S-1'));
				const claiming = one.claim();
				await wait(200);
				await one.say(said, 'S-1');
				expect(of(await claiming, 'externalId')).toEqual(['S-1']);
				expect(await one.ask('select state from sync.sent')).toEqual([{ state: said }]);
			});
		},
	);

	test('gives old rows their turn, though more are tried than go in ten minutes', async () => {
		await sync.book(...numbered(60));
		for (let minute = 0; minute < 12; minute++) {
			await sync.send(FORBIDDEN, 5);
			await sync.pass('1 minute');
		}
		await sync.book(movement('H-1', { created_at: '2026-02-02T10:00:00Z' }));
		expect(of(await sync.claim(5), 'externalId')).toContain('H-1');
	});

	test('gives so many a minute, to all n8n together', async () => {
		await sync.book(...numbered(30));
		const other = await sync.anotherN8n();
		expect(await sync.claim(10)).toHaveLength(10);
		expect(await sync.claim(10, other)).toEqual([]);
		expect(await sync.claim(12, other)).toHaveLength(2);
		await sync.pass('1 minute');
		// Those of an n8n that is gone hold up no others.
		expect(await sync.claim(10, other)).toHaveLength(10);
		await other.end();
	});

	test.each([0, 1, 30, 54])(
		'uses a minute whole with two n8n, one %i s later, and loses one when one of them is killed',
		async (later) => {
			await sync.book(...numbered(600));
			const other = await sync.anotherN8n();
			let accepted = 0;
			for (let minute = 0; minute < 10; minute++) {
				const mine = minute > 3 ? [] : await sync.claim(50);
				await sync.pass(`${later} seconds`);
				const others = await sync.claim(50, other);
				expect(mine.length + others.length).toBeLessThanOrEqual(50);
				const saved = minute === 3 ? others : [...mine, ...others];
				await sync.answer(saved, CREATED);
				accepted += saved.length;
				await sync.pass(`${60 - later} seconds`);
			}
			expect(accepted).toBe(450);
			await other.end();
		},
	);

	test('of four n8n at once, none gets what another has, and together they get no more', async () => {
		await sync.book(...numbered(150));
		const connections: Connection[] = [];
		for (let one = 0; one < 4; one++) connections.push(await sync.anotherN8n());
		const claimed = await Promise.all(
			Array.from({ length: 20 }, async (_, call) => await sync.claim(100, connections[call % 4])),
		);
		expect(new Set(of(claimed.flat(), 'externalId')).size).toBe(100);
		expect(claimed.flat()).toHaveLength(100);
		for (const one of connections) await one.end();
	});

	test('waits for nobody who books, and nobody who books waits for it', async () => {
		await sync.book(movement('S-1'), movement('S-2'));
		await sync.ask('begin');
		await sync.change('S-1', { amount: '26.01' });
		expect(what(await sync.claim())).toEqual(['S-1 booked 25.01', 'S-2 booked 25.01']);
		await sync.ask('commit');
	});

	test('ends when somebody leaves a transaction open, and takes no connection for long', async () => {
		await sync.book(movement('S-1'));
		await sync.send(UNKNOWN);
		await sync.pass('1 hour');
		await sync.ask('begin');
		await sync.ask("update sync.sent set state = 'again'");
		await expect(sync.claim()).rejects.toThrow(/lock timeout/);
		await sync.ask('commit');
		expect(of(await sync.claim(), 'externalId')).toEqual(['S-1']);
	}, 30_000);
});

test('a history: each status, also one that comes back, one at a time, in order, at equal times', async () => {
	await withSync(withHistory(), async (one) => {
		const statuses = ['pending', 'failed', 'pending', 'paid'];
		await one.book(movement('A', { status: 'pending' }), movement('B', { status: 'pending' }));
		for (const status of statuses.slice(1)) {
			await one.ask('update movements set status = $1', status);
			await one.ask('update movements set status = status');
		}
		await one.ask(`update status_history set at = '2026-11-02'`);
		const sent: Claimed[] = [];
		for (const status of statuses) {
			const claimed = await one.send(CREATED);
			expect(of(claimed, 'externalStatus')).toEqual([status, status]);
			expect(of(claimed, 'eventId')).toEqual(of(claimed, 'event'));
			sent.push(...claimed);
			await one.pass('1 minute');
		}
		expect(await one.open()).toEqual([]);
		expect(new Set(of(sent, 'eventId')).size).toBe(8);
	});
});

test('a history: what waits keeps back what follows, and what is refused does not', async () => {
	await withSync(withHistory(), async (one) => {
		await one.book(movement('A'));
		for (const status of ['settled', 'returned']) await one.change('A', { status });
		await one.send(UNKNOWN);
		expect(await one.claim()).toEqual([]);
		await one.pass('1 minute');
		expect(of(await one.send(CREATED), 'externalStatus')).toEqual(['booked']);
		expect(of(await one.send(REFUSED), 'externalStatus')).toEqual(['settled']);
		expect(of(await one.send(CREATED), 'externalStatus')).toEqual(['returned']);
	});
});

test('a history: an earlier status that is corrected waits for a later one that is under way', async () => {
	await withSync(withHistory(), async (one) => {
		await one.book(movement('S-1'));
		await one.send(REFUSED);
		await one.change('S-1', { status: 'settled' });
		const settled = await one.claim();
		expect(of(settled, 'externalStatus')).toEqual(['settled']);
		await one.ask(`update status_history set amount = 30 where status = 'booked'`);
		expect(await one.claim()).toEqual([]);
		await one.answer(settled, CREATED);
		expect(what(await one.claim())).toEqual(['S-1 booked 30']);
	});
});

test('a history: what the service has already does not go again, also of an enum and a number', async () => {
	const shop = SHOP_SQL.replace('id text', 'id bigint').replace('status text', 'status state');
	const states = `create type state as enum ('booked', 'settled')`;
	await withSync({ shop: `${states}; ${shop}` }, async (one) => {
		for (const [id, answer] of Object.entries({ 1: CREATED, 2: REFUSED, 3: UNKNOWN })) {
			await one.book(movement(id));
			await one.send(answer);
		}
		await one.book(movement('4'));
		const history = fromReadme('create table status_history');
		await one.ask(history.replace('movement text', 'movement bigint'));
		await one.ask(HISTORY_SQL);
		await one.change('1', { reference: 'x' });
		await one.ask(`create temporary table kept as table movements; delete from movements;
			insert into movements table kept`);
		await one.pass('1 minute');
		const first = await sendAll(CREATED, one);
		expect(of(first, 'externalId').sort()).toEqual(['2', '3', '4']);
		expect(first.filter(({ eventId }) => eventId === null)).toMatchObject([{ externalId: '3' }]);
		for (const status of ['settled', 'booked']) await one.change('1', { status });
		const sent = await sendAll(CREATED, one);
		expect(of(sent, 'externalId', 'externalStatus')).toEqual(['1 settled', '1 booked']);
		expect(of(sent, 'eventId')).toEqual(of(sent, 'event'));
		await one.ask(fromReadme('drop schema sync'));
		await one.ask(fromReadme('drop function keep_status'));
		await one.change('1', { status: 'settled' });
	});
});

describe('the view', () => {
	test.each([
		[
			'uuid',
			'uuid',
			'id::uuid',
			['7f2eb81c-364d-5753-b72b-a53014216c76', '0f2eb81c-364d-5753-b72b-a53014216c76'],
		],
		['bigint', 'bigint', '(id)', ['9007199254740993', '2']],
		['two columns', 'text', `id || '/' || currency`, ['A', 'B']],
	])('can have a key of %s', async (_, type, key, ids) => {
		const shop = SHOP_SQL.replace('id text primary key', `id ${type} primary key`);
		await withSync(
			{ shop, sync: viewWith('id as "externalId"', `${key} as "externalId"`) },
			async (one) => {
				await one.book(...ids.map((id) => movement(id)));
				const sent = await one.send(UNKNOWN);
				expect(of(sent, 'externalId').sort()).toEqual(
					ids.map((id) => (key.includes('||') ? `${id}/EUR` : id)).sort(),
				);
				await one.pass('1 minute');
				expect(await one.send(CREATED)).toHaveLength(2);
				expect(await one.open()).toEqual([]);
				await one.ask('delete from movements');
				await one.pass('2 years');
				await one.ask(fromReadme('delete from sync.sent'));
				expect(await one.ask('select from sync.sent')).toEqual([]);
			},
		);
	});

	test('is the same in each session, also if it makes texts of times', async () => {
		const eventId = viewWith('null::text as "eventId"', `id || created_at as "eventId"`);
		await withSync({ sync: eventId }, async (one) => {
			await one.book(movement('S-1'));
			await one.ask(`set datestyle = 'German'; set timezone = 'Asia/Tokyo'`);
			await one.n8n.query(`set datestyle = 'SQL, DMY'`);
			expect(await one.send(CREATED)).toHaveLength(1);
			expect(await one.open()).toEqual([]);
		});
	});

	test('can map a status, and a table can have partitions, between which rows move', async () => {
		const shop = `${SHOP_SQL.replace('id text primary key', 'id text').replace('status text not null', `status text not null`)}
			partition by list (status); create table booked partition of movements for values in ('b');
			create table others partition of movements default`;
		const mapped = `case status when 'b' then 'booked' when 's' then 'settled' end as "externalStatus"`;
		await withSync({ shop, sync: viewWith('status as "externalStatus"', mapped) }, async (one) => {
			await one.book(movement('S-1', { status: 'b' }));
			expect(what(await sendAll(CREATED, one))).toEqual(['S-1 booked 25.01']);
			await one.change('S-1', { status: 's' });
			await one.change('S-1', { reference: 'x' });
			expect(what(await sendAll(CREATED, one))).toEqual(['S-1 settled 25.01']);
		});
	});

	test('with two rows of one key: both are named, neither goes, and all others do', async () => {
		const shop = SHOP_SQL.replace('id text primary key', 'id text');
		await withSync({ shop }, async (one) => {
			await one.book(
				movement('S-1'),
				movement('S-2'),
				movement('S-2', { amount: '3' }),
				movement('S-3'),
			);
			expect(of(await one.send(CREATED), 'externalId')).toEqual(['S-1', 'S-3']);
			expect(await one.open()).toMatchObject([
				{ external_id: 'S-2', state: 'refused', why: 'The view has it more than once.' },
				{ external_id: 'S-2' },
			]);
			expect(await one.tell()).toHaveLength(2);
			await one.ask('delete from movements where amount = 3');
			expect(of(await one.claim(), 'externalId')).toEqual(['S-2']);
		});
	});

	test('with a second row of a key that was accepted: somebody is told, and can silence it', async () => {
		const shop = SHOP_SQL.replace('id text primary key', 'id text');
		await withSync({ shop }, async (one) => {
			await one.book(movement('S-1'));
			await one.send(CREATED);
			await one.pass('1 minute');
			await one.book(movement('S-1', { amount: '70000' }));
			expect(await one.claim()).toEqual([]);
			expect(await one.tell()).toEqual([
				'Needs a person: S-1 booked: look up: The view has it more than once.',
			]);
			await one.say('never', 'S-1');
			expect(await one.open()).toEqual([]);
		});
	});

	test('with a second row of a key that is under way: nothing of it is overtaken', async () => {
		const shop = SHOP_SQL.replace('id text primary key', 'id text');
		await withSync({ shop }, async (one) => {
			await one.book(movement('S-1'));
			await one.claim();
			await one.book(movement('S-1'), movement('S-1', { status: 'settled' }));
			expect(await one.claim()).toEqual([]);
			expect(await one.states()).toContain('S-1 booked: sending');
		});
	});

	test('with a row without External ID: it is named, and all others go', async () => {
		await withSync({ shop: SHOP_SQL.replace('id text primary key', 'id text') }, async (one) => {
			await one.book(movement('S-1'), movement('S-2'));
			await one.ask(`update movements set id = null where id = 'S-1'`);
			expect(of(await one.claim(), 'externalId')).toEqual(['S-2']);
			expect(await one.open()).toMatchObject([
				{ external_id: '', state: 'refused', why: 'It has no External ID.' },
				{ state: 'sending' },
			]);
		});
	});

	test.each([
		['a cast', 'amount', 'reference::numeric as amount', `reference = '12,50'`],
		['a division', 'amount', '(100 / amount)::numeric as amount', 'amount = 0'],
		[
			'a status',
			'status as "externalStatus"',
			`concat('booked', nullif(reference::numeric, 1)) as "externalStatus"`,
			`reference = '12,50'`,
		],
		[
			'a look-up that finds two',
			'currency',
			`(select 'EUR'::text from generate_series(1, case amount when 0 then 2 else 1 end)) as currency`,
			'amount = 0',
		],
		['a code point', 'currency', `chr(amount::int)::text as currency`, 'amount = 0'],
	])('that fails for a row sends nothing, and the row is told: %s', async (_, from, to, wrong) => {
		await withSync({ sync: viewWith(`${from},`, `${to},`) }, async (one) => {
			const rows = Array.from({ length: 60 }, (__, i) =>
				movement(`S-${i}`, { reference: '1.00', amount: '65' }),
			);
			await one.book(...rows);
			await one.ask(`update movements set ${wrong} where id = 'S-41'`);
			await expect(one.claim()).rejects.toThrow();
			expect(await one.tell()).toEqual([expect.stringMatching(/^The view fails: S-41: \w/)]);
			expect(await one.tell()).toEqual([]);
			await one.ask(`update movements set reference = '1.00', amount = 65`);
			expect(await one.send(CREATED)).toHaveLength(60);
			expect(await one.open()).toEqual([]);
		});
	});

	const casting = viewWith('amount,', 'reference::numeric as amount,');
	const withoutKey = SHOP_SQL.replace('id text primary key', 'id text');

	test.each(['a', 'B', 'c', 'D-1', 'd', ''])(
		'that fails for %j is told with its name, whatever the order of the database',
		async (wrong) => {
			const locale = `locale_provider icu icu_locale 'en'`;
			await withSync({ shop: withoutKey, sync: casting, locale }, async (one) => {
				for (const id of ['a', 'B', 'c', 'D-1', 'd', ''])
					await one.book(movement(id, { reference: id === wrong ? 'x' : '1' }));
				await one.ask(`update movements set id = null where id = ''`);
				expect(await one.tell()).toEqual([
					`The view fails: ${wrong}: invalid input syntax for type numeric: "x"`,
				]);
			});
		},
	);

	test('that fails as a whole blames no row, is told each time, and that nothing gets on', async () => {
		const ranked = viewWith('amount,', '(sum(100 / amount) over ())::numeric as amount,');
		await withSync({ sync: ranked }, async (one) => {
			const failed = 'The view fails: division by zero';
			await one.book(movement('S-1'), movement('S-2'));
			expect(await one.tell()).toEqual([]);
			for (let time = 0; time < 2; time++) {
				await one.ask(`update movements set amount = 0 where id = 'S-1'`);
				await expect(one.claim()).rejects.toThrow('division by zero');
				expect(await one.tell()).toEqual([failed]);
				expect(await one.tell()).toEqual([]);
				await one.ask(`update movements set amount = 1 where id = 'S-1'`);
				expect(await one.tell()).toEqual([]);
			}
			await one.ask(`update movements set amount = 0 where id = 'S-1'`);
			await one.pass('21 minutes');
			expect(await one.tell()).toEqual([
				expect.stringMatching(/^Nothing gets on: Rows wait since .* The view fails\.$/),
				failed,
			]);
			await one.pass('25 hours');
			expect(await one.tell()).toEqual([failed]);
		});
	});

	test('with an External ID that is too long for an index: it is named, and all others go', async () => {
		await withSync({ shop: withoutKey }, async (one) => {
			const long = Array.from({ length: 200 }, () => randomUUID()).join('');
			await one.book(movement('S-1'), movement(long));
			expect(of(await one.send(CREATED), 'externalId')).toEqual(['S-1']);
			expect(await one.open()).toMatchObject([
				{ external_id: long, state: 'refused', why: 'Its External ID is too long.' },
			]);
			expect(await one.tell()).toHaveLength(1);
			expect(await one.tell()).toEqual([]);
		});
	});

	test('with other columns: what may have arrived goes as it was', async () => {
		await withSync({}, async (one) => {
			await one.book(movement('S-1'), movement('S-2'));
			await one.send(UNKNOWN, 1);
			await one.ask(viewWith('reference,', `'new'::text as reference, amount as "baseAmount",`));
			await one.pass('1 minute');
			expect(of(await one.claim(), 'externalId', 'reference', 'baseAmount').sort()).toEqual([
				'S-1 Order S-1 ',
				'S-2 new 25.01',
			]);
			await one.ask(SYNC_SQL);
			await one.pass('16 minutes');
			expect(of(await one.send(CREATED), 'externalId', 'reference', 'baseAmount').sort()).toEqual([
				'S-1 Order S-1 ',
				'S-2 new 25.01',
			]);
		});
	});

	test.each([
		[
			'id as "externalId"',
			'id as "extrenalId"',
			/"extrenalId" isn't a field|"externalId" is missing/,
		],
		['reference,', '', /The column "reference" is missing/],
		['reference,', 'reference, 1 as note,', /"note" isn't a field/],
		[
			'amount,',
			'amount::float as amount,',
			/"amount" is a double precision\. Cast it to numeric or text/,
		],
		['amount,', 'amount::money as amount,', /"amount" is a money/],
		['amount,', 'to_json(amount) as amount,', /"amount" is a json/],
		['amount,', 'amount::public.rounded as amount,', /"amount" is a rounded/],
		[
			'created_at as',
			'created_at::timestamp as',
			/"externalCreatedAt" is a timestamp without time zone\. A time needs an offset/,
		],
		['created_at as', 'created_at::date as', /A time needs an offset/],
		['created_at as', 'created_at::text as', /A time needs an offset/],
		['amount,', 'amuont,', /column "amuont" does not exist/],
		['from public.movements', 'from public.movement', /relation "public.movement" does not exist/],
	])(
		'is refused with a sentence, and nothing is half installed: %s as %s',
		async (from, to, message) => {
			await withSync({ sync: 'select 1; create role sync_n8n_none' }, async () => {}).catch(
				() => {},
			);
			const refused = viewWith(from, to);
			await sync.book(movement('S-1'));
			await expect(sync.ask(refused)).rejects.toThrow(message);
			await sync.ask('rollback');
			expect(await sync.send(CREATED)).toHaveLength(1);
		},
	);

	test('of a table whose policy would hide rows ends with a message', async () => {
		await withSync({}, async (one) => {
			const [{ me }] = await one.ask<{ me: string }>('select current_user as me');
			await one.ask(`create role shop_owner login; grant shop_owner to ${me};
				grant create on database ${one.database} to shop_owner; grant create on schema public to shop_owner;
				drop schema sync cascade; alter table movements owner to shop_owner`);
			await one.ask('set role shop_owner');
			await one.ask(SYNC_SQL);
			await one.ask(SYNC_SQL);
			await one.book(movement('S-1'));
			expect(await one.send(UNKNOWN)).toHaveLength(1);
			await one.ask('alter table movements enable row level security, force row level security');
			await expect(one.claim()).rejects.toThrow(/row-level security policy for table "movements"/);
			expect(await one.tell()).toEqual([
				expect.stringMatching(/^The view fails: .*row-level security/),
			]);
			await expect(one.ask(SYNC_SQL)).rejects.toThrow(/row-level security/);
		});
	});
});

describe('a person', () => {
	test.each([
		['accepted', []],
		['never', []],
		['again', ['S-1 booked 25.01']],
		['not there', ['S-1 booked 26.01']],
	])('says in one statement: %s', async (said, next) => {
		await sync.book(movement('S-1'));
		await sync.send(CONFLICT);
		await sync.change('S-1', { amount: '26.01' });
		await sync.pass('2 days');
		expect(await sync.claim()).toEqual([]);
		await sync.ask(fromReadme(`update sync.sent set state = '${said}'`));
		expect(what(await sync.send(CREATED))).toEqual(next);
		expect(await sync.open()).toEqual([]);
	});

	test('says that it is not there while it is under way: it goes when that has ended', async () => {
		await sync.book(movement('S-1'));
		await sync.claim();
		await sync.change('S-1', { amount: '26.01' });
		await sync.say('not there', 'S-1');
		await sync.pass('14 minutes');
		expect(await sync.claim()).toEqual([]);
		await sync.pass('2 minutes');
		expect(what(await sync.claim())).toEqual(['S-1 booked 26.01']);
	});

	test('has another day for a row that was corrected after two', async () => {
		await sync.book(movement('S-1'));
		await sync.send(REFUSED);
		await sync.pass('2 days');
		await sync.change('S-1', { amount: '26.01' });
		expect(await sync.open()).toMatchObject([{ state: 'new', needs_a_person: false }]);
		await sync.send(FORBIDDEN);
		expect(await sync.open()).toMatchObject([{ state: 'waiting', needs_a_person: false }]);
	});

	test('says that what left the view is not there: nothing is left to do', async () => {
		await sync.book(movement('S-1'));
		await sync.send(UNKNOWN);
		await sync.ask('delete from movements');
		await sync.say('not there', 'S-1');
		await sync.pass('1 hour');
		expect(await sync.open()).toEqual([]);
		expect(await sync.claim()).toEqual([]);
	});

	test('says it again: one more attempt, of which a refusal settles nothing', async () => {
		await sync.book(movement('S-1'));
		await sync.send(UNKNOWN);
		await sync.pass('2 days');
		for (const answer of [UNKNOWN, REFUSED]) {
			await sync.say('again', 'S-1');
			expect(await sync.send(answer)).toHaveLength(1);
			await sync.pass('1 hour');
			expect(await sync.claim()).toEqual([]);
			expect(await sync.states()).toEqual(['S-1 booked: look up']);
		}
	});

	test('says it again: that holds until it was tried', async () => {
		await sync.book(movement('S-1'));
		await sync.send(UNKNOWN);
		await sync.pass('2 days');
		await sync.say('again', 'S-1');
		for (const answer of [NOT_SENT, { outcome: 'dryRun' }]) {
			expect(await sync.send(answer)).toHaveLength(1);
			await sync.pass('1 minute');
			expect(await sync.states()).toEqual(['S-1 booked: again']);
		}
		await sync.send(CREATED);
		expect(await sync.open()).toEqual([]);
	});

	test('says never about what has not gone', async () => {
		await sync.book(movement('S-1'), movement('S-2'));
		await sync.ask(fromReadme('insert into sync.sent (external_id, event, state) values'));
		expect(of(await sendAll(), 'externalId')).toEqual(['S-2']);
		expect(await sync.open()).toEqual([]);
	});

	test('sends again what was refused, though it has not changed', async () => {
		await sync.book(movement('S-1'));
		await sync.send(REFUSED);
		await sync.say('again', 'S-1');
		await sync.send(REFUSED);
		expect(await sync.states()).toEqual(['S-1 booked: refused']);
	});

	test('cannot say what no word means', async () => {
		await sync.book(movement('S-1'));
		await sync.claim();
		await expect(sync.say('agian', 'S-1')).rejects.toThrow(/check constraint/);
	});
});

describe('an operator', () => {
	test('holds after a backup what may have been accepted since, and releases it', async () => {
		await sync.book(movement('S-1'), movement('S-2'), movement('S-3'), movement('S-4'));
		await sync.send(CREATED, 2);
		await sync.send(UNKNOWN, 3);
		await sync.ask(`delete from sync.sent where external_id = 'S-2'`);
		await sync.pass('1 hour');
		await sync.ask(
			fromReadme('insert into sync.sent (external_id, event, state, message, body, doubt_since)'),
		);
		expect(await sync.claim()).toEqual([]);
		expect(await sync.states()).toEqual(['S-2', 'S-3', 'S-4'].map((id) => `${id} booked: look up`));
		await sync.ask(`update movements set created_at = '2025-12-31' where id = 'S-2'`);
		expect(await sync.states()).toContain('S-2 booked: look up');
		await sync.say('accepted', 'S-2');
		await sync.ask(`update sync.sent set state = 'not there' where state = 'look up'`);
		expect(of(await sync.send(CREATED), 'externalId').sort()).toEqual(['S-3', 'S-4']);
		expect(await sync.open()).toEqual([]);
	});

	test('deletes what the view no longer has, and nothing goes again', async () => {
		await sync.book(movement('S-1'), movement('S-2'), movement('S-3'));
		await sync.send(CREATED, 2);
		await sync.send(REFUSED);
		await sync.ask(`delete from movements where id = 'S-1'`);
		await sync.pass('2 years');
		await sync.ask(fromReadme('delete from sync.sent'));
		expect(await sync.ask('select external_id from sync.sent order by 1')).toEqual([
			{ external_id: 'S-2' },
			{ external_id: 'S-3' },
		]);
		expect(await sync.claim()).toEqual([]);
	});

	test('changes a column that the view reads, and runs the file again', async () => {
		await withSync({}, async (one) => {
			await one.book(movement('S-1'));
			await one.send(CREATED);
			const migrate = 'alter table movements alter column amount type numeric(19, 4)';
			await expect(one.ask(migrate)).rejects.toThrow(/used by a view/);
			await one.ask('drop view sync.transactions cascade');
			await one.ask(migrate);
			await expect(one.claim()).rejects.toThrow(/does not exist/);
			await one.ask(SYNC_SQL);
			await one.book(movement('S-2'));
			expect(what(await one.send(CREATED))).toEqual(['S-2 booked 25.0100']);
		});
	});

	test('lets another role see what is open', async () => {
		await sync.book(movement('S-1'));
		await sync.ask(`create role support; grant usage on schema sync to support;
			grant select on sync.open to support; grant execute on function sync.compare to support`);
		await sync.ask('set role support');
		expect(await sync.states()).toEqual(['S-1 booked: new']);
		await expect(sync.ask('select from sync.sent')).rejects.toThrow(/permission denied/);
		await sync.ask('reset role');
	});

	test('sees what is open, and takes it away', async () => {
		await withSync({}, async (one) => {
			await one.book(movement('S-1'));
			expect(await one.ask(fromReadme('select external_id, event, state'))).toMatchObject([
				{ external_id: 'S-1', state: 'new' },
			]);
			await one.ask(fromReadme('drop schema sync'));
			expect(await one.ask('select from movements')).toHaveLength(1);
		});
	});
});

describe('an event of the service', () => {
	const event = (id: string | undefined, eventId: string, status = 'COMPLETED', more = {}) => ({
		...{ id, event: 'PAYMENT.STATUS_UPDATED', ...more },
		data: { status, metadata: { eventId, externalId: 'S-1' } },
	});

	test('says that its Event ID is there, though no answer came', async () => {
		await sync.book(movement('S-1'));
		await sync.send({ ...UNKNOWN, eventId: 'E-1' });
		await sync.follow(event('evt_1', 'E-2'));
		expect(await sync.states()).toEqual(['S-1 booked: waiting']);
		await sync.follow(event('evt_2', 'E-1'));
		expect(await sync.open()).toEqual([]);
	});

	test('is saved: without an ID, with one ID for two statuses, with text that cannot be stored', async () => {
		for (const one of [
			event(undefined, 'E-1'),
			event('evt_1', 'E-1', 'COMPLETED'),
			event('evt_1', 'E-1', 'RETURNED'),
			event('evt_1', 'E-1', 'RETURNED'),
			event('evt_2', 'E-1', 'FAILED', { note: '\u0000 \ud83d' }),
			{ event: 'PING' },
		])
			await sync.follow(one);
		expect(await sync.ask('select from sync.events')).toHaveLength(5);
		expect(await sync.tell()).toEqual(['Came back: S-1 FAILED', 'Came back: S-1 RETURNED']);
		await sync.pass('3 days');
		expect(await sync.tell()).toEqual([]);
	});
});

describe('what is told', () => {
	/** Sends each minute, and tells every five. Returns what was told, by minute. */
	async function live(minutes: number, answer: () => Answer | undefined) {
		const told: Record<number, string[]> = {};
		for (let minute = 1; minute <= minutes; minute++) {
			const now = answer();
			if (now) await sync.send(now);
			await sync.pass('1 minute');
			if (minute % 5 > 0) continue;
			const news = await sync.tell();
			if (news.length > 0) told[minute] = news;
		}
		return told;
	}

	test.each([
		['a wrong secret', FORBIDDEN],
		['a service that is down', UNKNOWN],
		['a token that nobody gives', NOT_SENT],
		['Send is unpublished, or fails', undefined],
	])(
		'once within 25 minutes, and once when it is over: %s, for four hours',
		async (_, answer) => {
			await sync.book(movement('A-1'), movement('A-2'));
			await live(10, () => CREATED);
			await sync.book(movement('S-1'), movement('S-2'));
			let more = 0;
			const during = await live(240, () => {
				if (++more % 30 === 0) void sync.book(movement(`M-${more}`));
				return answer;
			});
			expect(Object.keys(during).map(Number)).toEqual([expect.any(Number)]);
			const [[minute, lines]] = Object.entries(during);
			expect(Number(minute)).toBeLessThanOrEqual(25);
			expect(lines).toEqual([expect.stringMatching(/^Nothing gets on: 2 wait since /)]);
			const after = await live(30, () => CREATED);
			expect(Object.values(after)).toEqual([[expect.stringMatching(/^It gets on again/)]]);
			expect(await sync.open()).toEqual([]);
		},
		60_000,
	);

	test('that nothing gets on, though a row is invalid meanwhile', async () => {
		await sync.book(movement('A-1'));
		await live(5, () => CREATED);
		await sync.book(movement('S-1'));
		await live(120, () => UNKNOWN);
		await sync.book(movement('S-2'));
		const [{ externalId }, ...more] = await sync.claim();
		expect([externalId, more]).toEqual(['S-2', []]);
		await sync.record([{ externalId, event: 'booked', attempt: 1, ...INVALID }]);
		expect(await sync.tell()).toEqual([expect.stringMatching(/^Needs a person: S-2 /)]);
	});

	test('what is tried for a day once a day, and two events of like words each', async () => {
		await sync.book(movement('a b', { status: 'c' }), movement('a', { status: 'b c' }));
		await sync.send(UNKNOWN);
		await sync.pass('23 hours');
		await sync.send(UNKNOWN);
		await sync.pass('5 minutes');
		const needy = async () =>
			(await sync.tell()).filter((line) => line.startsWith('Needs a person')).length;
		expect(await needy()).toBe(2);
		for (let attempt = 0; attempt < 3; attempt++) {
			await sync.ask(`update sync.sent set state = 'again'`);
			await sync.send(NOT_SENT);
			await sync.ask(`update sync.sent set first_at = now() - interval '23 hours 5 minutes'`);
			expect(await needy()).toBe(0);
			await sync.pass('2 hours');
		}
		await sync.pass('19 hours');
		expect(await needy()).toBe(2);
	});

	test('each outage, and the end of each, though the file ran again meanwhile', async () => {
		for (const id of ['S-1', 'S-2']) {
			await sync.book(movement(id));
			await sync.send(UNKNOWN);
			await sync.pass('21 minutes');
			expect(await sync.tell()).toEqual([expect.stringMatching(/^Nothing gets on: 1 wait /)]);
			await sync.ask(SYNC_SQL);
			expect(await sync.tell()).toEqual([]);
			expect(await sync.send(CREATED)).toHaveLength(1);
			expect(await sync.tell()).toEqual([expect.stringMatching(/^It gets on again/)]);
			await sync.pass('1 hour');
		}
	});

	test('nothing of getting on when all that waited needs a person', async () => {
		await sync.book(movement('S-1'));
		await sync.send(UNKNOWN);
		await sync.pass('30 minutes');
		expect(await sync.tell()).toEqual([expect.stringMatching(/^Nothing gets on: 1 wait /)]);
		await sync.pass('24 hours');
		expect(await sync.tell()).toEqual([expect.stringMatching(/^Needs a person: S-1 /)]);
		await sync.book(movement('S-2'));
		await sync.pass('30 minutes');
		expect(await sync.tell()).toEqual([expect.stringMatching(/^Nothing gets on: 1 wait /)]);
	});

	test('what needs a person once, with a reminder a day', async () => {
		await sync.book(movement('S-1'));
		await sync.send(INVALID);
		expect(await sync.tell()).toEqual([
			"Needs a person: S-1 booked: refused: 'Currency': it has no code",
		]);
		expect(await sync.tell()).toEqual([]);
		await sync.pass('25 hours');
		expect(await sync.tell()).toHaveLength(1);
		await sync.change('S-1', { amount: '26.01' });
		await sync.send(INVALID);
		expect(await sync.tell()).toHaveLength(1);
	});

	test('one row that never gets on, while others do, as one that needs a person, after a day', async () => {
		await sync.book(movement('S-1'));
		await sync.send(UNKNOWN);
		await sync.pass('90 minutes');
		await sync.book(movement('S-2'));
		const [one, two] = await sync.claim();
		await sync.answer([one], one.externalId === 'S-2' ? CREATED : FORBIDDEN);
		await sync.answer([two], two.externalId === 'S-2' ? CREATED : FORBIDDEN);
		await sync.pass('1 hour');
		expect(await sync.tell()).toEqual([]);
		await sync.pass('22 hours');
		expect(await sync.tell()).toEqual([expect.stringMatching(/^Needs a person: S-1 /)]);
	});

	test('nothing while there is nothing to send, or old rows go step by step', async () => {
		await sync.pass('3 days');
		expect(await sync.tell()).toEqual([]);
		const old = { created_at: '2026-02-02T10:00:00Z' };
		await sync.book(...Array.from({ length: 90 }, (_, i) => movement(`H-${i}`, old)));
		for (let minute = 0; minute < 40; minute++) {
			await sync.send(CREATED, 2);
			await sync.pass('1 minute');
			expect(await sync.tell()).toEqual([]);
		}
	});
});

describe("n8n's role", () => {
	test.each([
		'select * from sync.sent',
		'select * from sync.transactions',
		'select * from sync.open',
		'select * from public.movements',
		'select * from sync.compare()',
		`insert into sync.sent (external_id, event, state) values ('S-1', '', 'never')`,
		`update sync.sent set state = 'accepted'`,
		'delete from sync.sent',
		'truncate sync.sent',
		'delete from sync.told',
		'drop function sync.record',
		`create function sync.mine() returns int language sql as 'select 1'`,
		'create or replace view sync.open as select 1',
		'create table sync.mine ()',
		'set role postgres',
	])('cannot %s', async (sql) => {
		await expect(sync.n8n.query(sql)).rejects.toThrow(/permission denied|must be owner/);
	});

	test('cannot put a table of its own in the place of one of the sync', async () => {
		await sync.book(movement('S-1'));
		const other = await sync.anotherN8n();
		await other.query('create temporary table sent (external_id text)').catch(() => {});
		await other.query('create temporary table pg_class (oid oid)').catch(() => {});
		await other.query('set search_path = pg_temp, sync');
		expect(of(await sync.claim(500, other), 'externalId')).toEqual(['S-1']);
		await other.end();
	});
});

describe('the file', () => {
	test('has lines of at most 110 characters', () => {
		expect(SYNC_SQL.split('\n').filter((line) => line.length > 110)).toEqual([]);
	});

	test('gives each table a primary key', async () => {
		expect(
			await sync.ask(`select relname from pg_class c where relnamespace = 'sync'::regnamespace and relkind = 'r'
				and not exists (select from pg_index where indrelid = c.oid and indisprimary)`),
		).toEqual([]);
	});

	test('can run again while n8n goes on', async () => {
		await sync.book(movement('S-1'), movement('S-2'));
		const claimed = await sync.claim(1);
		await sync.ask(SYNC_SQL);
		await sync.answer(claimed, CREATED);
		expect(of(await sendAll(), 'externalId')).toEqual(['S-2']);
	});

	test('can serve two services, by another name of the schema, and be taken away', async () => {
		await withSync({}, async (one) => {
			await one.ask(SYNC_SQL.replace(/\bsync\b/g, 'other'));
			await one.book(movement('S-1'));
			expect(await one.send(CREATED)).toHaveLength(1);
			const { rows } = await one.n8n.query<Claimed>('select * from other.claim(500)');
			expect(of(rows, 'externalId')).toEqual(['S-1']);
			await one.ask('drop schema other cascade');
			await one.ask('drop schema sync cascade');
			expect(await one.ask('select from movements')).toHaveLength(1);
		});
	});

	test('says what to do if its owner can create no roles', async () => {
		await withSync({}, async (one) => {
			await one.ask(`create role plain login; grant create on database ${one.database} to plain;
				alter table movements owner to plain; drop schema sync cascade; set role plain`);
			const renamed = SYNC_SQL.replace(/sync_n8n/g, 'another_n8n');
			await expect(one.ask(renamed)).rejects.toThrow(
				/You can't create roles\. .*create role another_n8n.* set its password/,
			);
			await one.ask('rollback');
			expect(await one.ask(`select from pg_namespace where nspname = 'sync'`)).toEqual([]);
			await one.ask(SYNC_SQL);
			await one.ask(SYNC_SQL);
		});
	});
});
