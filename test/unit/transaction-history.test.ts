import { TransactionHistory, type Run } from '../../nodes/Payments/sending/transactionHistory';
import { created, notSent, unknownOutcome } from '../../nodes/Payments/sending/outcome';
import type { SendFailure, SendResult } from '../../nodes/Payments/results';
import { SAMPLE } from '../support/builders/transactions';

const CONFLICT = { status: 409, error: { errorCode: 'EVENT_EXISTS', warnings: [] } };
const FIRST = SAMPLE;
const OTHER_CONTENT = { ...FIRST, amount: '9.99' };

let executions = 0;
let run: Run;
beforeEach(() => {
	executions++;
	run = { nodeInExecution: `execution ${executions}`, index: 0 };
});

const failure = (mayBeRecorded: boolean): SendFailure =>
	mayBeRecorded ? unknownOutcome('lost', FIRST) : notSent('no connection', '');

const create = (body: unknown = { id: 'T1' }) =>
	new TransactionHistory(run, FIRST).setCreated(created(202, body));

/** What a 409 means for a result. */
const meaningOf = (result: SendResult) =>
	result.outcome === 'duplicate' ? (result.ownAttempt ? 'own' : 'duplicate') : result.outcome;

describe('a 409 after', () => {
	test.each<[string, () => void, Partial<Run>, object, string]>([
		['nothing', () => {}, {}, FIRST, 'duplicate'],
		['a lost response of this run', () => fail(true), {}, FIRST, 'own'],
		["a request of this run that wasn't sent", () => fail(false), {}, FIRST, 'duplicate'],
		['a creation in this run', () => create(), {}, FIRST, 'own'],
		['a creation in another run, as in a loop', () => create(), { index: 1 }, FIRST, 'duplicate'],
		['a lost response of another run', () => fail(true), { index: 1 }, FIRST, 'duplicate'],
		[
			'a creation by another execution',
			() => create(),
			{ nodeInExecution: 'x' },
			FIRST,
			'duplicate',
		],
		['a creation with other content', () => create(), {}, OTHER_CONTENT, 'rejected'],
		[
			'one with other content in another run',
			() => create(),
			{ index: 1 },
			OTHER_CONTENT,
			'rejected',
		],
		['a lost response with other content', () => fail(true), {}, OTHER_CONTENT, 'unknown'],
		['a creation at another exchange rate', () => create(), {}, { baseAmount: '9.99' }, 'own'],
	])('%s', (_, before, changes, sent, meaning) => {
		before();
		const history = new TransactionHistory({ ...run, ...changes }, { ...FIRST, ...sent });
		expect(meaningOf(history.settleConflict(CONFLICT))).toBe(meaning);
	});

	function fail(mayBeRecorded: boolean) {
		new TransactionHistory(run, FIRST).addFailure(failure(mayBeRecorded));
	}
});

test('what a try created is known to the next one, with other timestamps, too', () => {
	create();
	const again = { ...FIRST, receivedAt: FIRST.receivedAt + 1, externalCreatedAt: 1 };
	expect(new TransactionHistory(run, again).createdByEarlierTry).toMatchObject({
		body: { id: 'T1' },
	});
	expect(new TransactionHistory({ ...run, index: 1 }, FIRST).createdByEarlierTry).toBeUndefined();
});

test('a response is kept without what would fill the memory', () => {
	create({ id: 'T1', paid: true, fee: 2, note: 'x'.repeat(200_000), lines: [1], party: { a: 1 } });
	expect(new TransactionHistory(run, FIRST).createdByEarlierTry?.body).toEqual({
		id: 'T1',
		paid: true,
		fee: 2,
	});
});
