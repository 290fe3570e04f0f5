import { jsonOf } from '../../../../../nodes/Payments/output/itemJson';
import { codeSays } from '../../../../../nodes/Payments/sending/answer/codes';
import { MEANINGS } from '../../../../../nodes/Payments/sending/answer/Says';
import { findDenial } from '../../../../../nodes/Payments/sending/answer/successBody';
import { statusSays } from '../../../../../nodes/shared/statuses';
import { conclusionOf } from '../../../../support/builders/answers';
import { SAMPLE } from '../../../../support/builders/transactions';
import { fc, propertyRuns } from '../../../../support/properties';

/* A throw would end the execution, and with it what is known of the other items. */

const TOKEN = '5f7e1c2a-9d0b-4c77-8e21';

/** Names that the node looks for, that its own fields have, and that every object has. */
const NAMES =
	'error errors faultCode success ok message status code name type event eventId id warnings position issue source outcome amount json __proto__ constructor toString valueOf hasOwnProperty length';

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

const SHOWN = { isSuccess: false, includeResponse: true };

const STATUSES = [200, 202, 207, 208, 302, 308, 400, 401, 409, 418, 422, 425, 429, 500, 503];
const ANYTHING = fc.oneof(
	bodies,
	fc
		.constantFrom('EVENT_ALREADY_EXISTS', 'REQUEST_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED', 'E100')
		.map((code) => ({ code })),
	fc.string(),
);

test('any body with any status becomes an item, and makes no other outcome than its status and codes allow', () => {
	const { externalId, amount } = SAMPLE;
	const seen = new Set<string>();
	fc.assert(
		fc.property(ANYTHING, fc.constantFrom(...STATUSES), (raw, status) => {
			const response = { status, headers: {}, body: raw };
			const result = conclusionOf(status, raw, { token: TOKEN, stated: 'E100' });

			const code = codeSays(response, SAMPLE, ['E100']);
			expect(allowedOutcomes(status, code)).toContain(result.outcome);
			// A success says no only at its top level, and a repeated one wherever it names another event.
			if (status < 300 && result.outcome === 'unknown' && status < 207)
				expect(findDenial({ ...response, body: topLevelOf(raw) }, SAMPLE)).toBeTruthy();

			const json = jsonOf(result, { externalId, amount }, SHOWN);
			expect(json).toMatchObject({ externalId, amount, statusCode: status });
			expect(JSON.stringify(json)).not.toContain(TOKEN);
			seen.add(result.outcome);
		}),
		{ numRuns: propertyRuns(20_000) },
	);
	expect(Object.keys(Object.prototype)).toEqual([]);
	expect([...seen].sort()).toEqual(['created', 'duplicate', 'notSent', 'rejected', 'unknown']);
});

function allowedOutcomes(status: number, code: string | undefined): string[] {
	if (status === 208) return ['duplicate', 'unknown'];
	const { outcome } = MEANINGS[statusSays(status)];
	if (outcome === 'created') return ['created', 'unknown'];
	if (code === undefined) return [outcome];
	return code === 'recorded' ? ['duplicate', 'unknown'] : ['unknown'];
}

/** What is nested counts only by whether there is a value in it. */
function topLevelOf(body: unknown): unknown {
	if (Array.isArray(body)) return body.map(topLevelOf);
	if (typeof body !== 'object' || body === null) return body;
	return Object.fromEntries(
		Object.entries(body).filter(([name]) =>
			/^_*(err|fault|success|ok|status|event|external|id)/i.test(name),
		),
	);
}
