import {
	readConflict,
	saysRecorded,
	type ConflictMeaning,
} from '../../../../../nodes/Payments/sending/response/conflict';
import { UNREADABLE } from '../../../../../nodes/Payments/sending/response/responseBody';
import { fc, propertyRuns } from '../../../../support/properties';

const EVENT_ID = '5609c570-3b45-4bec-a326-9d50ee465156';

test.each<[ConflictMeaning, unknown]>([
	// Nothing but the status.
	['silent', undefined],
	['silent', {}],
	['silent', 'Conflict'],
	['silent', { errorCode: 'CONFLICT' }],
	// Spring Boot's default for any 409.
	[
		'silent',
		{
			timestamp: '2026-11-24T10:00:00',
			status: 409,
			error: 'Conflict',
			path: '/api/v1/transactions',
		},
	],
	['silent', { type: 'about:blank', title: 'Conflict', status: 409 }],
	...(
		[
			['recorded', 'https://example.com/problems/event-already-exists'],
			['recorded', 'about:blank'],
			['recorded', 'https://tools.ietf.org/html/rfc9110#section-15.5.10'],
			['other', 'urn:problem:limit-exceeded'],
		] as const
	).map(([meaning, type]): [ConflictMeaning, unknown] => [
		meaning,
		{ type, title: 'Conflict', detail: 'A transaction with this eventId already exists.' },
	]),
	// ASP.NET Core's default.
	[
		'silent',
		{
			type: 'https://tools.ietf.org/html/rfc9110#section-15.5.10',
			title: 'Conflict',
			status: 409,
			traceId: '00-982607166a542147b435be3a847ddd71-01',
		},
	],
	['silent', UNREADABLE],
	['silent', '{"errorCode":"EVENT_ALREADY_EX'],
	// The event, and that it exists.
	['recorded', { errorCode: 'EVENT_ALREADY_EXISTS', message: 'The event is recorded already.' }],
	['recorded', { errorCode: 'DUPLICATE_EVENT_ID' }],
	['recorded', { errorCode: 'DUPLICATE', message: 'Event exists' }],
	['recorded', { message: `${EVENT_ID} already exists` }],
	['recorded', { message: `An event with the id ${EVENT_ID} already exists.` }],
	['recorded', { errors: [{ detail: 'Event already exists' }] }],
	['recorded', { warnings: [{ position: 'eventId', issue: 'already exists' }] }],
	['recorded', { error: { code: 'idempotent_creation_conflict' } }],
	// Another request isn't finished.
	['inProgress', { title: 'A request is outstanding for this Idempotency-Key' }],
	['inProgress', { error: { code: 'idempotency_key_in_use' } }],
	['inProgress', { errorCode: 'REQUEST_IN_PROGRESS' }],
	['inProgress', { message: 'key already in use by an ongoing request' }],
	['inProgress', { message: 'Event is already in progress' }],
	['inProgress', { errorCode: 'IDEMPOTENCY_RACE', message: 'Idempotency key already in use' }],
	['inProgress', { title: 'Idempotency-Key Concurrency Conflict' }],
	['other', { title: 'Concurrency Conflict' }],
	// The same key with other content.
	['other', { message: 'The event exists with another amount' }],
	['other', { message: 'This Idempotency-Key was used with a different payload' }],
	['other', { errorCode: 'IDEMPOTENCY_KEY_REUSED' }],
	// Another reason, or none that is certain.
	['other', { errorCode: 'FRAUD_PREVENTION' }],
	['other', { errorCode: 'ACCOUNT_BLOCKED', message: 'Event exists' }],
	['other', { message: 'A transaction was already sent today' }],
	['other', { errorCode: 'TRANSACTION_SUBMITTED' }],
	['other', { errorCode: 'DUPLICATE_TRANSACTION' }],
	['other', { errorCode: 'DUPLICATE' }],
	['other', { errorCode: 'EXTERNAL_ID_IN_USE', message: 'Another event has it.' }],
	['other', { warnings: [{ position: 'externalId', issue: 'already exists' }] }],
	[
		'other',
		{ errorCode: 'DUPLICATE_EVENT', warnings: [{ position: 'externalId', issue: 'exists' }] },
	],
	['other', { warnings: [{ position: 'eventId', issue: 'must be a UUID' }] }],
	[
		'other',
		{
			warnings: [
				{ position: 'eventId', issue: 'exists' },
				{ position: 'recipient', issue: 'is on a watchlist' },
			],
		},
	],
	['other', { message: 'No such event exists' }],
	['other', { status: 'REJECTED' }],
	['other', '<html>Conflict</html>'],
])('%s: %j', (meaning, body) => {
	expect(readConflict(body, EVENT_ID, false)).toBe(meaning);
	expect(saysRecorded(body, EVENT_ID)).toBe(meaning === 'recorded');
});

test.each<[ConflictMeaning, unknown]>([
	['inProgress', undefined],
	['inProgress', { errorCode: 'LOCKED' }],
	['recorded', { errorCode: 'EVENT_ALREADY_EXISTS' }],
	['other', { errorCode: 'IDEMPOTENCY_KEY_REUSED' }],
])('with Retry-After, %s: %j', (meaning, body) =>
	expect(readConflict(body, EVENT_ID, true)).toBe(meaning),
);

test('words in the Event ID say nothing', () => {
	const body = { errorCode: 'EVENT_EXISTS', message: 'The event other-limit:7 already exists.' };
	expect(readConflict(body, 'other-limit:7', false)).toBe('recorded');
});

test('any body is judged without a throw', () => {
	fc.assert(
		fc.property(fc.anything(), (body) => {
			expect(['silent', 'recorded', 'inProgress', 'other']).toContain(
				readConflict(body, EVENT_ID, false),
			);
		}),
		{ numRuns: propertyRuns(2000) },
	);
});
