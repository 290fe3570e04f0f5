import { MEANINGS, type Says } from '../../../../../nodes/Payments/sending/answer/Says';
import { statusSays } from '../../../../../nodes/shared/statuses';

const all = Array.from({ length: 400 }, (_, index) => 200 + index);
const statusesThat = (holds: (meaning: (typeof MEANINGS)[Says]) => boolean) =>
	all.filter((status) => holds(MEANINGS[statusSays(status)]));

test('what HTTP defines as a refusal is rejected, and every other failure leaves it open', () => {
	expect(statusesThat(({ outcome }) => outcome === 'rejected')).toEqual([
		307, 308, 400, 401, 402, 403, 404, 405, 406, 407, 410, 411, 412, 413, 414, 415, 416, 417, 421,
		422, 425, 426, 428, 431, 451, 501, 505, 511,
	]);
	expect(statusesThat(({ outcome }) => outcome === 'notSent')).toEqual([429]);
	expect(statusesThat(({ outcome }) => outcome === 'created')).toEqual(
		all.filter((status) => status < 300 && status !== 207),
	);
});

test('401, 429, and 503 are sent again', () => {
	expect(statusesThat(({ again }) => again === 'yes')).toEqual([401, 429, 503]);
});

test('what is about a transaction, and what is overload', () => {
	expect(
		statusesThat(({ outcome, shows }) => outcome !== 'created' && shows === 'decision'),
	).toEqual([400, 402, 409, 422, 451]);
	expect(statusesThat(({ shows }) => shows === 'overload')).toEqual([
		429,
		...all.filter((status) => status >= 500 && ![501, 505, 511].includes(status)),
	]);
});

/* The rules by which the table is made, whatever is added to it. */
test('what was recorded or rejected isn’t sent again, unless its token was rejected', () => {
	for (const [says, { outcome, shows, again }] of Object.entries(MEANINGS)) {
		if (outcome === 'created' || outcome === 'duplicate')
			expect([says, shows, again]).toEqual([says, 'decision', 'no']);
		if (outcome === 'rejected')
			expect([says, again]).toEqual([says, shows === 'token' ? 'yes' : 'no']);
		// Nothing was processed, so the same again is safe.
		if (outcome === 'notSent') expect([says, again]).toEqual([says, 'yes']);
		if (again === 'ifAllowed') expect([says, outcome]).toEqual([says, 'unknown']);
	}
});
