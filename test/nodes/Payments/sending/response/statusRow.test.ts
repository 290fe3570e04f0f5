import { statusRow } from '../../../../../nodes/Payments/sending/response/statusRow';

const all = Array.from({ length: 400 }, (_, index) => 200 + index);
const statusesWhere = (holds: (row: ReturnType<typeof statusRow>) => boolean) =>
	all.filter((status) => holds(statusRow(status)));

test('what HTTP defines as a refusal is rejected, and every other failure leaves it open', () => {
	expect(statusesWhere(({ outcome }) => outcome === 'rejected')).toEqual([
		307, 308, 400, 401, 402, 403, 404, 405, 406, 407, 410, 411, 412, 413, 414, 415, 416, 417, 421,
		422, 425, 426, 428, 431, 451, 501, 505, 511,
	]);
	expect(statusesWhere(({ outcome }) => outcome === 'notSent')).toEqual([429]);
	expect(statusesWhere(({ outcome }) => outcome === 'created')).toEqual(
		all.filter((status) => status < 300 && status !== 207),
	);
});

test('429 and 503 are retried', () => {
	expect(statusesWhere(({ isRetried }) => isRetried)).toEqual([429, 503]);
});

test('refusals that are about a transaction', () => {
	expect(
		statusesWhere(({ outcome, evidence }) => outcome === 'rejected' && evidence === 'decision'),
	).toEqual([400, 402, 422, 451]);
	expect(statusesWhere(({ evidence }) => evidence === 'overload')).toEqual([
		429,
		...all.filter((status) => status >= 500 && ![501, 505, 511].includes(status)),
	]);
});
