import { CircuitBreaker } from '../../../../nodes/Payments/sending/circuitBreaker';
import type { SendFailure } from '../../../../nodes/Payments/results';

const failure = (changes: Partial<SendFailure> = {}): SendFailure => ({
	outcome: 'unknown',
	message: 'The message',
	fix: 'The fix.',
	status: 500,
	...changes,
});

const after = (events: (breaker: CircuitBreaker) => void) => {
	const breaker = new CircuitBreaker();
	events(breaker);
	return breaker.open;
};

const times = (count: number, event: () => void) => {
	for (let index = 0; index < count; index++) event();
};

test('87 requests in a row without a decision leave it closed, and 88 open it', () => {
	expect(after((breaker) => times(87, () => breaker.undecided(failure(), 0, 0)))).toBeUndefined();
	expect(after((breaker) => times(88, () => breaker.undecided(failure(), 0, 0)))).toMatchObject({
		outcome: 'notSent',
		message: expect.stringMatching(/88 requests in a row.*status 500/),
	});
	const lost = after((breaker) =>
		times(88, () => breaker.undecided(failure({ status: undefined }), 0, 0)),
	);
	expect(lost?.message).toContain('no response');
});

test('windows whose first request failed before the others started count as if they were full', () => {
	const lose = (...windows: number[]) =>
		after((breaker) => windows.forEach((size) => breaker.undecided(failure(), 0, size)));
	expect(lose(50, 25, 12)).toBeUndefined();
	expect(lose(50, 25, 12, 6)?.message).toContain('4 requests in a row');
	expect(lose(20, 20, 12, 6, 3, 1, 1, 1)).toBeUndefined();
});

test('four windows in a row without a decision open it, however small they are', () => {
	const lose = (windows: number) => after((breaker) => breaker.undecided(failure(), windows, 0));
	expect(lose(3)).toBeUndefined();
	expect(lose(4)?.message).toContain('status 500');
});

test('a decision about a payment begins the row anew', () => {
	const open = after((breaker) => {
		times(87, () => breaker.undecided(failure(), 0, 0));
		breaker.decided();
		times(87, () => breaker.undecided(failure(), 0, 0));
	});
	expect(open).toBeUndefined();
});

test('three rejected tokens open it, unless one was accepted between', () => {
	const rejected = failure({ outcome: 'rejected', status: 401 });
	expect(after((breaker) => times(2, () => breaker.tokenRejected(rejected)))).toBeUndefined();
	expect(after((breaker) => times(3, () => breaker.tokenRejected(rejected)))).toMatchObject({
		outcome: 'notSent',
		message: expect.stringContaining('status 401'),
		fix: 'The fix.',
	});
	const open = after((breaker) => {
		times(2, () => breaker.tokenRejected(rejected));
		breaker.decided();
		times(2, () => breaker.tokenRejected(rejected));
	});
	expect(open).toBeUndefined();
});

test('what cannot be sent opens it, with the same reason', () => {
	const open = after((breaker) =>
		breaker.cannotSend(failure({ outcome: 'notSent', status: undefined })),
	);
	expect(open).toMatchObject({
		outcome: 'notSent',
		message: 'The message',
		fix: expect.stringContaining("wasn't tried"),
	});
});

test('a transaction whose retries are used up opens it, unless another was decided about', () => {
	const open = after((breaker) => {
		times(5, () => breaker.undecided(failure({ status: 503 }), 0, 0));
		breaker.retriesUsedUp(failure({ status: 503 }));
	});
	expect(open?.message).toContain('status 503');
	const closed = after((breaker) => {
		times(3, () => breaker.undecided(failure(), 0, 0));
		breaker.decided();
		times(2, () => breaker.undecided(failure(), 0, 0));
		breaker.retriesUsedUp(failure());
	});
	expect(closed).toBeUndefined();
});
