import { idempotencyKey } from '../../../../nodes/Payments/sending/idempotencyKey';
import { fc } from '../../../support/properties';

const UUID = /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

test.each([
	'5609c570-3b45-4bec-a326-9d50ee465156',
	'1D50E642-7819-5191-BE51-D56FCB6FAEA6',
	'00000000-0000-0000-0000-000000000000',
])('%s is a UUID, and stays as it is', (eventId) => expect(idempotencyKey(eventId)).toBe(eventId));

// Python: uuid.uuid5(uuid.UUID("d70dd594-543b-4f4c-b83c-f2fcfc6cdd2c"), "müller/42")
test('another Event ID becomes the UUID that docs/interface.md, 10.8, says', () => {
	expect(idempotencyKey('müller/42')).toBe('c4ed0347-4b43-53d5-8936-e916e87e5e6d');
});

test.each([
	'5609c5703b454beca3269d50ee465156',
	'{5609c570-3b45-4bec-a326-9d50ee465156}',
	'urn:uuid:5609c570-3b45-4bec-a326-9d50ee465156',
	'5609c570-3b45-4bec-a326-9d50ee465156-2',
])('%s is none', (eventId) => expect(idempotencyKey(eventId)).toMatch(UUID));

test('different Event IDs have different keys, the same each time', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
			expect(idempotencyKey(one) === idempotencyKey(other)).toBe(one === other);
			expect(idempotencyKey(one)).toMatch(UUID);
		}),
	);
});
