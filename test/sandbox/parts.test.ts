import { chooseResponse } from '../../sandbox/faults/chooseResponse';
import { FaultSettings } from '../../sandbox/faults/settings';
import { Clock } from '../../sandbox/state/clock';
import { DelayQueue } from '../../sandbox/state/delayQueue';
import { Log, MAX_KEPT } from '../../sandbox/state/log';
import { SandboxState } from '../../sandbox/state/sandboxState';
import { transaction } from '../support/builders/transactions';
import { directionOf, withTwoDecimals } from '../../sandbox/state/payments';
import { checkTransition, paymentTransitions } from '../../sandbox/state/transitions';
import type { PaymentStatus } from '../../sandbox/types';
import { waitUntil } from '../../host/waitUntil';

const pause = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

describe('the choice of a fault', () => {
	const countResponses = (seed: number) => {
		const settings = new FaultSettings();
		settings.replace({
			seed,
			statuses: [
				{ status: 429, rate: 0.1 },
				{ status: 503, rate: 0.05 },
			],
			dropResponses: 0.05,
		});
		const counts: Record<string, number> = {};
		for (let request = 0; request < 10_000; request++) {
			const response = chooseResponse(settings, 'transactions');
			const name = String(response?.status ?? response?.fault ?? 'right');
			counts[name] = (counts[name] ?? 0) + 1;
		}
		return counts;
	};

	it('meets every rate', () => {
		const counts = countResponses(1);
		for (const [name, rate] of Object.entries({
			429: 0.1,
			503: 0.05,
			reset: 0.05,
			right: 0.8,
		})) {
			expect(Math.abs(counts[name] / 10_000 - rate)).toBeLessThan(0.012);
		}
	});

	it('repeats itself with the same seed', () => {
		expect(countResponses(5)).toEqual(countResponses(5));
		expect(countResponses(5)).not.toEqual(countResponses(6));
	});

	it('gives the next responses first, as often as set, and each to its own path', () => {
		const settings = new FaultSettings();
		settings.replace({
			next: [{ status: 500, times: 2 }, { on: 'token', status: 503 }, { fault: 'reset' }],
		});
		const take = (on: 'transactions' | 'token') => chooseResponse(settings, on);
		expect([
			take('transactions')?.status,
			take('transactions')?.status,
			take('transactions')?.fault,
			take('transactions'),
		]).toEqual([500, 500, 'reset', undefined]);
		expect([take('token')?.status, take('token')]).toEqual([503, {}]);
	});
});

describe('a delay queue', () => {
	it('lets items leave in their order, none before its time', async () => {
		const left: Array<[number, number]> = [];
		const queue = new DelayQueue<number>(
			new Clock(async () => {}),
			() => 40,
			(item) => left.push([item, Date.now()]),
		);
		const start = Date.now();
		queue.add(1);
		await pause(20);
		queue.add(2);
		queue.add(3);
		queue.delete(2);
		await pause(90);
		expect(left.map(([item]) => item)).toEqual([1, 3]);
		expect(left[0][1] - start).toBeGreaterThanOrEqual(39);
		expect(left[1][1] - start).toBeGreaterThanOrEqual(59);
	});

	it('takes a shorter time for those who wait already, too', async () => {
		let waitMs = 600_000;
		const left: number[] = [];
		const queue = new DelayQueue<number>(
			new Clock(async () => {}),
			() => waitMs,
			(item) => left.push(item),
		);
		for (let item = 0; item < 500; item++) queue.add(item);
		waitMs = 10;
		queue.restart();
		await waitUntil('all have left', () => left.length === 500, { intervalMs: 5 });
		expect(left).toEqual(Array.from({ length: 500 }, (_, item) => item));
	});
});

describe('a log', () => {
	it('gives the newest, and keeps only those', () => {
		const log = new Log<number>('number');
		const count = 3 * MAX_KEPT;
		for (let record = 0; record < count; record++) log.add(String(record), record);
		expect(log.size).toBeLessThan(1.5 * MAX_KEPT);
		expect(log.get('0')).toBeUndefined();
		expect(log.page(2)).toEqual({ items: [count - 1, count - 2], total: log.size });
	});

	it('filters', () => {
		const log = new Log<number>('number');
		for (let record = 1; record <= 10; record++) log.add(String(record), record);
		expect(log.page(2, (record) => record % 3 === 0)).toMatchObject({ items: [9, 6] });
	});
});

describe('payments', () => {
	it.each([
		['pyr_1', 'vac_1', 'PAYIN'],
		['fac_1', 'pye_1', 'PAYOUT'],
		['vac_1', 'fac_1', 'TRANSFER'],
		['acme', 'other', 'PAYOUT'],
	])('from %s to %s is a %s', (from, to, direction) =>
		expect(directionOf(from, to)).toBe(direction),
	);

	it.each([
		['2501', '2501.00'],
		['10.5', '10.50'],
		['1.234', '1.234'],
		['-3.10', '-3.10'],
	])('the amount %s is written %s', (amount, written) =>
		expect(withTwoDecimals(amount)).toBe(written),
	);

	it('every status but the first can be reached, and what is not in the table is rejected', () => {
		const reached = new Set<PaymentStatus>(['CREATED']);
		for (const status of reached) for (const next of paymentTransitions[status]) reached.add(next);
		expect([...reached].sort()).toEqual(Object.keys(paymentTransitions).sort());
		expect(() => checkTransition('CREATED', 'CREATED')).toThrow('CREATED can be followed by');
	});
});

test('an Event ID that is not kept anymore is still a duplicate', () => {
	const state = new SandboxState();
	const send = (id: number) => state.transactions.accept(transaction(id));
	for (let id = 0; id < 1.5 * MAX_KEPT; id++) expect(send(id)).toBe('created');
	expect(state.transactions.log.get('event-0')).toBeUndefined();
	expect(send(0)).toBe('eventExists');
	state.reset();
	expect(send(0)).toBe('created');
	state.reset();
});
