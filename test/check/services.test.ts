import { PaymentsApi } from '../../credentials/PaymentsApi.credentials';
import type { Check } from '../../check/Check';
import { verdictLines } from '../../check/report';
import { verdictOf } from '../../check/verdict';
import { fc, propertyRuns } from '../support/properties';
import { checkService, type Reply, type ServiceOptions } from '../support/servers/checkedService';
import { DescribedService, type Service } from '../support/servers/describedService';
import { accepts, always, CODES, KEY, SCOPE, SERVICES, withId } from './publicServices';

/* Each service gets the verdict that is right, and what it advises is followed. */

/** Checks a service. */
async function check(service: Service, options: ServiceOptions = {}) {
	const described = new DescribedService(service);
	const made = await checkService(described.answers, { ...described.options, ...options });
	const attempts = [made.asked?.invalid, made.asked?.past].flatMap((one) => one ?? []);
	return {
		made,
		/** Whether something counts twice that was sent as the node sends it. */
		isTwice: described.isTwice(made.setup.credential.sendIdempotencyKey),
		isRefusalCreated: attempts.some(
			({ says, transaction }) =>
				says.outcome === 'created' && described.refused.has(transaction.eventId),
		),
	};
}

test('settings are named as the editor names them', () => {
	const names = new PaymentsApi().properties.map(
		({ displayName }) => `Payments API → ${displayName}`,
	);
	expect(names).toEqual(expect.arrayContaining([CODES, KEY, SCOPE]));
});

const settingsIn = ({ findings }: Check): Record<string, string> =>
	Object.fromEntries(
		findings.flatMap((one) => (one.kind === 'set' ? [[one.field, one.value]] : [])),
	);

/** Checks a service, and once more with what has to be set: then nothing else has to be. */
async function checkTwice(service: Service, options: ServiceOptions = {}) {
	const first = await check(service, options);
	const { [CODES]: recordedCodes, [KEY]: key } = settingsIn(first.made);
	const verdict = verdictOf(first.made.findings);
	if (!verdict.startsWith('fits') || (recordedCodes ?? key) === undefined) return first;
	const again = await check(service, { ...options, recordedCodes, sendIdempotencyKey: !key });
	const { [SCOPE]: _, ...others } = settingsIn(again.made);
	expect(others).toEqual({});
	expect(verdictOf(again.made.findings)).toMatch(/^fits/);
	expect([again.isTwice, again.isRefusalCreated]).toEqual([false, false]);
	return first;
}

test.each(Object.entries(SERVICES))('%s', async (_, expected) => {
	const { verdict, set, says = [], fixedText, ...service } = expected;
	const options = { requestedScope: service.scope?.[0] };
	const { made } = await checkTwice(service, options);
	const { findings } = made;
	expect(verdictOf(findings)).toBe(verdict ?? (set ? 'fitsIfSet' : 'fits'));
	expect(settingsIn(made)).toEqual(set ?? {});
	const said = verdictLines({ findings, check: made }).join('\n');
	for (const one of says) expect(said).toMatch(one);
	if (!fixedText) return expect(said).not.toMatch(/whether this text never changes/);
	expect(said).toContain(`and means nothing else: "${fixedText}". Then enter it`);
	const entered = await check(service, { ...options, recordedCodes: fixedText });
	expect(verdictOf(entered.made.findings)).toBe('fits');
});

test('whatever a service is like, none fits that counts twice, or whose refusal ends as created', async () => {
	const answer: fc.Arbitrary<Service['created']> = fc.constantFrom(
		...[accepts, withId, ((id) => [201, { booking: id }]) as Service['created']],
		(id) => [201, undefined, { location: `/t/${id}` }],
		(_, { eventId }) => [200, { transactionId: eventId }],
	);
	const code = fc.constantFrom('EVENT_ALREADY_EXISTS', 'TX_KNOWN', 'INVALID_STATE');
	const refusal: fc.Arbitrary<Reply> = fc.oneof(
		fc.tuple(fc.constantFrom(200, 400, 403, 409, 422), fc.record({ code })),
		fc.constantFrom<Reply>([202], [409], [500], [200, { success: false }]),
	);
	// Nobody sees a refusal that is answered as what is recorded.
	const visible = refusal.filter(([status]) => status !== 202);
	const kept = fc.constantFrom<Reply>([400, { code: 'SEEN' }], [409, { code: 'SEEN' }], [409]);
	const key = fc.record(
		{ repeat: refusal, other: refusal, keepsRefusals: fc.boolean() },
		{ requiredKeys: [] },
	);
	const service = fc.record(
		{
			...{
				created: answer,
				invalid: refusal,
				repeat: fc.oneof(
					answer,
					refusal.map((one) => always(...one)!),
				),
			},
			...{ otherAmount: refusal, past: visible, refusedBefore: kept, key },
		},
		{ requiredKeys: ['created', 'invalid'] },
	);
	await fc.assert(
		fc.asyncProperty(service, async (one) => {
			const { made, isTwice, isRefusalCreated } = await checkTwice(one);
			const fits = verdictOf(made.findings).startsWith('fits');
			expect(fits && (isTwice || isRefusalCreated)).toBe(false);
		}),
		{ numRuns: propertyRuns(600, 20) },
	);
}, 600_000);
