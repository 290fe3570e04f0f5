import { Check } from '../../check/Check';
import type { Setup } from '../../check/Setup';
import { runCheck } from '../../check/runCheck';
import { resultOf, type CheckResult } from '../../check/result';
import { verdictLines } from '../../check/report';
import { CLIENT, startService, type Behavior, type TestService } from './services';

const setupFor = (url: string, changes: Partial<Setup> = {}): Setup => ({
	credential: {
		authUrl: url,
		baseUrl: url,
		...CLIENT,
		scope: 'PAYMENTS',
		allowHttp: false,
		conflictWithoutReason: 'unknown',
	},
	sender: {
		externalEntityId: 'windmills',
		externalPaymentChannelId: 'windmills-1',
		countryCode: 'BE',
	},
	recipient: {
		externalEntityId: 'bakery',
		externalPaymentChannelId: 'bakery-1',
		countryCode: 'DK',
	},
	amount: '1.00',
	currency: 'EUR',
	paymentScheme: 'SCT',
	burst: 0,
	waitMs: 3000,
	timeoutMs: 10_000,
	...changes,
});

const lookUpIn = ({ recorded }: TestService) =>
	new Map([...recorded].map(([eventId, { times }]) => [eventId, times]));

const replays: Behavior = { repeated: ({ answer }) => answer };
const error = (code: string): { status: number; body: unknown } => ({
	status: 200,
	body: { success: false, error: { code } },
});
const text = (status: number, body: string) => ({ status, body });

const cases: Array<[string, Behavior, string, string[]?]> = [
	['no deduplication', { repeated: () => 'recordAgain' }, 'doesntFit'],
	[
		'deduplication for 2 s',
		{
			repeated: (known) =>
				Date.now() - known.at > 2000
					? 'recordAgain'
					: { status: 409, body: { code: 'EVENT_ALREADY_EXISTS' } },
		},
		'doesntFit',
	],
	[
		'a silent 409',
		{ repeated: () => ({ status: 409 }) },
		'fitsIfSet',
		['Conflict Without a Reason: Recorded Already'],
	],
	[
		'in progress',
		{
			takesMs: 300,
			open: {
				status: 409,
				body: {
					code: 'REQUEST_IN_PROGRESS',
					message: 'A request is outstanding for this Idempotency-Key',
				},
			},
		},
		'fits',
	],
	[
		'200 with an error',
		{
			created: () => ({ status: 200, body: { success: true } }),
			repeated: () => error('EVENT_ALREADY_EXISTS'),
			invalid: error,
		},
		'doesntFit',
	],
	['202 without a body', { created: () => ({ status: 202 }), ...replays }, 'fits'],
	[
		'202 without a body, recorded again',
		{ created: () => ({ status: 202 }), repeated: () => 'recordAgain' },
		'doesntFit',
	],
	['the original answer again', replays, 'fits'],
	[
		'text',
		{
			created: () => text(201, 'OK'),
			repeated: () => text(409, 'This event already exists'),
			invalid: (reason) => text(400, reason),
		},
		'fits',
	],
	['429 without Retry-After', { perSecond: 8 }, 'fitsIfSet', ['Max Requests per Second: 8']],
	[
		'429 if more than 5 are open',
		{ takesMs: 50, maxOpen: 5 },
		'fitsIfSet',
		['Max Concurrent Requests: 5'],
	],
	[
		'429 with Retry-After',
		{ perSecond: 8, tooMany: { status: 429, headers: { 'retry-after': '1' } } },
		'fits',
	],
	['rotating tokens', { rotatesTokens: true }, 'fitsIfSet', ['Client ID']],
];
test.concurrent.each(cases)(
	'%s',
	async (_name, behavior, verdict, settings = []) => {
		const service = await startService(behavior);
		const check = new Check(setupFor(service.url));
		await runCheck(check);
		await service.stop();
		const unknown = resultOf({ check });
		const result: CheckResult = resultOf({ check, lookedUp: lookUpIn(service) });
		console.log(
			_name,
			verdictLines(result.verdict).join('\n'),
			result.findings.map((f) => `${f.title} ${f.kind} ${f.text}`).join('\n'),
		);
		expect(result.verdict.name).toBe(verdict);
		expect(result.verdict.settings.map(({ field, value }) => `${field}: ${value}`)).toEqual(
			settings.map((one) => expect.stringContaining(one)),
		);
		console.log(_name, unknown.verdict.name);
	},
	60_000,
);
