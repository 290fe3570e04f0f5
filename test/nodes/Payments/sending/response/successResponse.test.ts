import { findDoubt } from '../../../../../nodes/Payments/sending/response/successResponse';

const eventId = '5609c570-3b45-4bec-a326-9d50ee465156';
const JSON_TYPE = { 'content-type': 'application/json' };

test.each<[string, number, unknown, object?]>([
	['no body', 200, undefined],
	['blanks', 204, ' '],
	['an object', 200, { id: 'T1', status: 'CREATED' }],
	['a status that is shown as it is', 200, { status: 'REJECTED' }],
	['an empty error', 200, { error: null, errors: [], errorCode: '', success: true }],
	['the same event, in capital letters', 200, { eventId: eventId.toUpperCase() }],
	['text with 201', 201, 'Created.'],
	['text with 202', 202, 'OK', JSON_TYPE],
	['a list without errors', 200, [{ id: 1 }]],
	["a service's own code for a success", 200, { code: 10000, id: 'T1' }],
])('%s: %i is a success', (_, status, body, headers = {}) => {
	expect(
		findDoubt({ status, headers: headers as Record<string, unknown>, body }, { eventId }),
	).toBe(undefined);
});

test.each<[string, number, unknown, RegExp, object?]>([
	['text with 200', 200, 'n8n is starting up. Please wait', /n8n is starting up/],
	['an error code', 200, { errorCode: 'INSUFFICIENT_FUNDS' }, /INSUFFICIENT_FUNDS/],
	['an error inside', 202, { data: { error: { code: 'X' } } }, /X/],
	['no success', 201, { success: false }, /success false/],
	['not ok', 200, { ok: false }, /ok false/],
	['a JSend error', 200, { status: 'error', message: 'No funds' }, /status "error"/],
	['a JSend fail', 202, { status: 'fail', data: {} }, /status "fail"/],
	['another event', 200, { eventId: 'e-2' }, /e-2/],
	['another event inside', 202, { transaction: { eventId: 'e-2' } }, /e-2/],
	['a 422 inside a 207', 207, [{ status: 201 }, { status: 422 }], /422/],
	['broken JSON', 202, '{"id":"T1","sta', /sta/],
	['broken JSON by its type', 202, '"T1', /T1/, JSON_TYPE],
	['false', 200, false, /false/],
	['true alone', 200, true, /true/],
	['text that says no', 202, 'Declined', /Declined/],
	['XML', 202, '<ok/>', /ok/],
	['another event as an object', 200, { event: { id: 'e-2' } }, /e-2/],
	['a name without capitals', 200, { errorcode: 'X' }, /X/],
	['a code inside a 207', 207, { multistatus: [{ code: 422 }] }, /422/],
])('%s: %i leaves it open, and is quoted', (_, status, body, words, headers = {}) => {
	const doubt = findDoubt(
		{ status, headers: headers as Record<string, unknown>, body },
		{ eventId },
	);
	expect(doubt).toMatch(words);
});
