import { jsonOf } from '../../../../../nodes/Payments/output/outputItems';
import { readConflict } from '../../../../../nodes/Payments/sending/response/conflict';
import { created, failureFromResponse } from '../../../../../nodes/Payments/sending/outcome';
import { cleanBody } from '../../../../../nodes/Payments/sending/response/responseBody';
import { findDoubt } from '../../../../../nodes/Payments/sending/response/successResponse';
import { SAMPLE } from '../../../../support/builders/transactions';
import { fc, propertyRuns } from '../../../../support/properties';

/* A throw would end the execution, and with it what is known of the other items. */

const PAYMENT = { ...SAMPLE, eventId: 'e-1' };
const TOKEN = '5f7e1c2a-9d0b-4c77-8e21';

/** Names that the node looks for, that its own fields have, and that every object has. */
const NAMES =
	'error errors message status code event eventId id warnings position issue source outcome amount json __proto__ constructor toString valueOf hasOwnProperty length';

const bodies = fc.letrec((tie) => ({
	json: fc.oneof(
		{ maxDepth: 6 },
		fc.jsonValue(),
		fc.constantFrom(null, true, '', 'error', 409, TOKEN),
		fc.array(tie('json'), { maxLength: 4 }),
		fc
			.array(fc.tuple(fc.constantFrom(...NAMES.split(' ')), tie('json')), { maxLength: 5 })
			// As a body comes: with `__proto__` as a member.
			.map((members) => {
				const texts = members.map(
					([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
				);
				return JSON.parse(`{${texts.join(',')}}`) as unknown;
			}),
	),
})).json;

test('any JSON with any status becomes an item that says what was sent', () => {
	const { externalId, amount } = PAYMENT;
	fc.assert(
		fc.property(bodies, fc.constantFrom(200, 202, 400, 409, 503), (raw, status) => {
			const body = cleanBody(raw, TOKEN);
			findDoubt({ status, headers: {}, body }, PAYMENT);
			readConflict(body, PAYMENT.eventId, false);
			const results = [created({ status, body }), failureFromResponse({ status, body }, 'unknown')];
			const items = results.map((result) => jsonOf(result, { externalId, amount }));
			expect(items).toMatchObject([
				{ outcome: 'created', externalId, amount, statusCode: status },
				{ outcome: 'unknown', externalId, amount, statusCode: status },
			]);
			expect(JSON.stringify(items)).not.toContain(TOKEN);
		}),
		{ numRuns: propertyRuns(20_000) },
	);
	expect(Object.keys(Object.prototype)).toEqual([]);
});
