import { isEventConflict } from '../../nodes/Payments/sending/response/conflict';
import { fc, propertyRuns } from '../support/properties';

const eventId = '5609c570-3b45-4bec-a326-9d50ee465156';
const isDuplicate = (body: unknown) => isEventConflict(body, { eventId });

describe('a 409 response is about the event', () => {
	test.each<[string, unknown]>([
		['no body', undefined],
		['an empty body', {}],
		['the words of the status', 'Conflict'],
		['the words of the status as a code', { errorCode: 'CONFLICT' }],
		[
			'the words of the status, with a time and a path',
			{ status: 409, error: 'Conflict', path: '/x' },
		],
		[
			'a problem without a type (RFC 9457)',
			{ type: 'about:blank', title: 'Conflict', status: 409 },
		],
		['an event ID', { errorCode: 'EVENT_ID_IN_USE', message: 'The eventId is taken.' }],
		['an event', { errorCode: 'EVENT_EXISTS', message: 'The event is recorded already.' }],
		['a transaction', { errorCode: 'ALREADY_EXISTS', message: 'This transaction exists.' }],
		['an idempotency key', { errorCode: 'IDEMPOTENCY_KEY_USED' }],
		[
			'a code that says nothing, and a message',
			{ errorCode: 'DUPLICATE', message: 'Event exists' },
		],
		['the value of the Event ID', { message: `${eventId} already exists` }],
		['an event with its ID', { message: `An event with the id ${eventId} already exists.` }],
		['another word order', { message: 'We already processed this transaction' }],
		['a list of errors', { errors: [{ detail: 'Transaction already exists' }] }],
		['a warning', { errorCode: 'X', warnings: [{ position: 'eventId', issue: 'exists' }] }],
		[
			'a warning among others',
			{
				errorCode: 'EXTERNAL_ID_IN_USE',
				warnings: [
					{ position: 'externalId', issue: 'exists' },
					{ position: 'eventId', issue: 'exists' },
				],
			},
		],
		[
			'a code, though the message mentions another field',
			{ errorCode: 'DUPLICATE_EVENT', message: 'externalId x1 is recorded' },
		],
	])('%s', (_, body) => expect(isDuplicate(body)).toBe(true));

	test('and words in the Event ID say nothing', () => {
		const body = { errorCode: 'EVENT_EXISTS', message: 'The event other-limit:7 already exists.' };
		expect(isEventConflict(body, { eventId: 'other-limit:7' })).toBe(true);
		expect(isEventConflict(body, { eventId: 'another' })).toBe(false);
	});
});

describe('a 409 response is about something else, or leaves it open', () => {
	test.each<[string, unknown]>([
		['letters inside a word', { errorCode: 'FRAUD_PREVENTION' }],
		['a rule', { errorCode: 'ACCOUNT_BLOCKED', message: 'A rule prevents this transaction' }],
		['already, but not there', { errorCode: 'ACCOUNT_ALREADY_CLOSED' }],
		['exist, but not', { errorCode: 'ACCOUNT_DOES_NOT_EXIST' }],
		['prevented', { message: 'Payment prevented by compliance rule' }],
		['a code without a subject', { errorCode: 'DUPLICATE' }],
		['another status', { status: 'REJECTED' }],
		['a web page', '<html>Conflict</html>'],
		['a text without a subject', 'This has been recorded before.'],
		['an unknown member', { outcome: 'declined' }],
		['the external ID', { errorCode: 'EXTERNAL_ID_IN_USE', message: 'Another event has it.' }],
		['in another spelling', { errorCode: 'externalId.duplicate' }],
		['in the message', { errorCode: 'CONFLICT', message: 'The External ID x1 is in use.' }],
		['the message of a text', 'externalId is used by event e7'],
		['a warning', { warnings: [{ position: 'externalId', issue: 'exists' }] }],
		[
			'a warning, whatever the code says',
			{ errorCode: 'DUPLICATE_EVENT', warnings: [{ position: 'externalId', issue: 'exists' }] },
		],
		['a party', { warnings: [{ position: 'sender.externalEntityId', issue: 'is closed' }] }],
		['the reference', { errorCode: 'DUPLICATE_REFERENCE' }],
		['a limit', { errorCode: 'LIMIT_EXCEEDED' }],
		['a code against the message', { errorCode: 'ACCOUNT_BLOCKED', message: 'Event exists' }],
		['a transaction that was declined', { message: 'Transaction already declined' }],
		['a similar transaction', { errorCode: 'DUPLICATE_TRANSACTION' }],
		['an event that is processed at this moment', { message: 'Event is already in progress' }],
		['a form of the Event ID', { warnings: [{ position: 'eventId', issue: 'must be a UUID' }] }],
		[
			'another reason beside the event',
			{
				warnings: [
					{ position: 'eventId', issue: 'exists' },
					{ position: 'recipient', issue: 'is on a watchlist' },
				],
			},
		],
		['a key that is in use at this moment', { error: { code: 'idempotency_key_in_use' } }],
		['a state beside the code', { errorCode: 'EVENT_EXISTS', status: 'DECLINED' }],
		['details as text', { errorCode: 'EVENT_EXISTS', details: 'blocked by risk' }],
		['what was received, but not accepted', { message: 'Already received; awaiting approval' }],
		['a conflict of another kind', { errorCode: 'TRANSACTION_CONFLICT' }],
		['an event that is not there', { message: 'No such event exists' }],
		["an event that isn't there", { message: "Transaction isn't recorded, Event exists" }],
	])('%s', (_, body) => expect(isDuplicate(body)).toBe(false));
});

test('any body is judged without a throw', () => {
	fc.assert(
		fc.property(fc.anything(), (body) => {
			expect(typeof isDuplicate(body)).toBe('boolean');
		}),
		{ numRuns: propertyRuns(2000) },
	);
});
