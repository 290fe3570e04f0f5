import { isEventConflict } from '../../nodes/Payments/sending/conflict';
import { parseErrorBody } from '../../nodes/Payments/sending/responseBody';
import { fc, propertyRuns } from '../support/properties';

describe('a 409 response is about the event', () => {
	test.each<[string, unknown]>([
		['no body', undefined],
		['an empty body', {}],
		['a text', 'Conflict'],
		['a web page', '<html>externalId</html>'],
		['a code alone', { errorCode: 'CONFLICT' }],
		['a duplicate', { errorCode: 'DUPLICATE', message: 'This has been recorded before.' }],
		['an event ID', { errorCode: 'EVENT_ID_IN_USE', message: 'The eventId is taken.' }],
		['an event', { errorCode: 'EVENT_EXISTS', message: 'The event is recorded already.' }],
		['a transaction', { errorCode: 'ALREADY_EXISTS', message: 'This transaction exists.' }],
		['an idempotency key', { errorCode: 'IDEMPOTENCY_KEY_USED' }],
		['a message that names the event first', { message: 'Event e1 (externalId x1) exists.' }],
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
	])('%s', (_, body) => expect(isEventConflict(parseErrorBody(body))).toBe(true));
});

describe('a 409 response is about something else', () => {
	test.each<[string, unknown]>([
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
		['a state', { errorCode: 'ACCOUNT_BLOCKED', message: 'The account is blocked.' }],
		['a limit', { errorCode: 'LIMIT_EXCEEDED' }],
	])('%s', (_, body) => expect(isEventConflict(parseErrorBody(body))).toBe(false));
});

test('any body is judged without a throw', () => {
	fc.assert(
		fc.property(fc.anything(), (body) => {
			expect(typeof isEventConflict(parseErrorBody(body))).toBe('boolean');
		}),
		{ numRuns: propertyRuns(5000) },
	);
});
