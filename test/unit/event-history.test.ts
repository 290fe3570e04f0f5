import { EventHistory, type Run } from '../../nodes/Payments/sending/eventHistory';
import type { FailedAttempt } from '../../nodes/Payments/sending/attempt';
import { created, type SendFailure } from '../../nodes/Payments/sending/outcome';
import { SentEvents } from '../../nodes/Payments/sending/sentEvents';
import { SAMPLE } from '../support/builders/transactions';

const RUN: Run = { execution: 'execution 1, node 1', index: 0 };
const CREATED = created(202, { id: 't1' });
const CONFLICT = { status: 409, error: { message: 'exists', warnings: [] } };
const unknown = (status: number): SendFailure => ({
	outcome: 'unknown',
	message: `status ${status}`,
	fix: '',
	status,
});
/** An attempt that failed, as far as the history looks at it. */
const failed = (result: SendFailure, mayBeRecorded = true) =>
	({ mayBeRecorded, result }) as FailedAttempt;
const rejected: SendFailure = { outcome: 'rejected', message: 'no', fix: '', status: 429 };

let memory: SentEvents;
beforeEach(() => (memory = new SentEvents()));

const history = (run: Run | undefined = RUN, changes = {}) =>
	new EventHistory(memory, run, { ...SAMPLE, ...changes });

test('outside an execution, nothing is remembered beyond the object', () => {
	const alone = new EventHistory(memory, undefined, SAMPLE);
	alone.setCreated(CREATED);
	alone.addFailure(failed(unknown(500)));
	expect(alone.settleConflict(CONFLICT)).toMatchObject({ outcome: 'duplicate', ownAttempt: true });
	const next = new EventHistory(memory, undefined, SAMPLE);
	expect(next.earlier).toBeUndefined();
	expect(next.createdInThisRun).toBeUndefined();
	expect(next.settleConflict(CONFLICT)).toMatchObject({ ownAttempt: false });
});

describe('an event that this execution created', () => {
	beforeEach(() => history().setCreated(CREATED));

	test('is known when n8n tries the node again', () => {
		expect(history().createdInThisRun).toEqual(CREATED);
		expect(history().earlier).toBeUndefined();
	});

	test('is known with other timestamps, which are the current time', () => {
		const later = history(RUN, { externalCreatedAt: 1, receivedAt: 2 });
		expect(later.createdInThisRun).toEqual(CREATED);
	});

	test('is new when a loop comes round, and it is known what a 409 response means', () => {
		const next = history({ ...RUN, index: 1 });
		expect(next.createdInThisRun).toBeUndefined();
		expect(next.settleConflict(CONFLICT)).toMatchObject({
			outcome: 'duplicate',
			ownAttempt: true,
		});
	});

	test('is unknown to another execution', () => {
		const other = history({ ...RUN, execution: 'execution 2, node 1' });
		expect(other.createdInThisRun).toBeUndefined();
		expect(other.settleConflict(CONFLICT)).toMatchObject({ ownAttempt: false });
	});

	test.each([
		{ amount: '1' },
		{ currency: 'SEK' },
		{ reference: 'other' },
		{ externalId: 'other' },
	])('explains a 409 response to another transaction with its Event ID: %p', (changes) => {
		const other = history(RUN, changes);
		expect(other.createdInThisRun).toBeUndefined();
		other.addFailure(failed(unknown(500)));
		expect(other.settleConflict(CONFLICT)).toMatchObject({
			outcome: 'rejected',
			message: expect.stringContaining('sent another transaction with the same Event ID'),
		});
		// The attempt with another content hides nothing of what was created.
		expect(history().createdInThisRun).toEqual(CREATED);
	});
});

describe('an attempt that failed', () => {
	test('is remembered when the service may have recorded it', () => {
		const first = history();
		first.addFailure(failed(unknown(500)));
		expect(first.earlier).toEqual(unknown(500));
		const second = history();
		expect(second.earlier).toEqual(unknown(500));
		expect(second.createdInThisRun).toBeUndefined();
		expect(second.settleConflict(CONFLICT)).toMatchObject({ ownAttempt: true });
	});

	test('is not remembered when the service has not recorded it', () => {
		const first = history();
		first.addFailure(failed(rejected, false));
		expect(first.earlier).toEqual(rejected);
		expect(first.settleConflict(CONFLICT)).toMatchObject({ ownAttempt: false });
		expect(history().earlier).toBeUndefined();
	});

	test('leaves open what an earlier one left open', () => {
		const first = history();
		first.addFailure(failed(unknown(500)));
		first.addFailure(failed(rejected));
		expect(first.earlier).toEqual(unknown(500));
		expect(history().earlier).toEqual(unknown(500));
	});

	test('says nothing about another transaction with the same Event ID', () => {
		history().addFailure(failed(unknown(500)));
		const other = history(RUN, { amount: '1' });
		expect(other.earlier).toBeUndefined();
		expect(other.settleConflict(CONFLICT)).toMatchObject({
			outcome: 'duplicate',
			ownAttempt: false,
		});
	});
});
