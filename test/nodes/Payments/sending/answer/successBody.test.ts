import { findDenial } from '../../../../../nodes/Payments/sending/answer/successBody';
import { UNREADABLE } from '../../../../../nodes/shared/serviceResponse';
import { SAMPLE } from '../../../../support/builders/transactions';

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const { eventId, externalId } = SAMPLE;
const deny = (body: unknown, status = 200, headers = {}, externalStatus: string | null = null) =>
	findDenial({ status, headers, body }, { ...SAMPLE, externalStatus });

test.each<[unknown, number?, object?]>([
	[undefined],
	[null],
	[''],
	[' \n'],
	['', 202, HTML],
	['OK'],
	['Accepted\n'],
	['Created'],
	// IDs.
	['T12345'],
	[eventId],
	['tr:2026.11-26_7'],
	[20261126],
	[true],
	[[]],
	[{ id: 'T1', currency: { code: 'EUR' } }],
	[{ code: 'PENDING', message: 'Insufficient funds', reason: 'x' }],
	[{ status: 'REJECTED' }],
	[{ status: 0 }],
	[{ errorCode: '0' }],
	[{ errors: { count: 0 }, fault: [], error: { code: '', list: [null, [0]] } }],
	[{ failureCode: null, failure: '', failed: false, hasError: 'false' }],
	[{ default: 'x', unfailed: 'x', referral: 'x' }],
	[{ ErrorCode: '0', ErrorText: '', Success: true }],
	[{ errcode: 0, errmsg: 'ok' }],
	[{ error: 'None', errors: 'false', err_code: '000' }],
	[{ data: { success: false, error: 'x' } }],
	[{ statusCode: 202 }],
	[{ statusCode: 1000 }],
	[{ accepted: 1 }],
	// As public APIs name what isn't a refusal.
	[{ failover: true, failUrl: 'https://a.example/no', failFast: true, failureUrl: 'x' }],
	[{ errorUrl: 'https://a.example/errors', error: 'https://a.example/errors' }],
	[{ success_count: 0, failed_count: 0, errorCount: '0', errors: [] }],
	[{ errorCode: 'NO_ERROR', errorMessage: 'No error', error_description: 'N/A' }],
	[{ error: '-', fault: 'no faults', failureReason: 'none', errorText: 'no-error' }],
	[{ hasErrors: false, isError: 'false', isFailed: 0, has_failures: 'no' }],
	[{ isSuccess: true, successful: 'yes', succeeded: true, isAccepted: 1, hasSucceeded: true }],
	[{ errors: { count: 0, items: [] }, failures: [{ code: 0, text: 'Success' }] }],
	[{ terrors: 'x', errata: 'x', failsafe: 'on', defaulted: 'x', errorHandling: 'strict' }],
	[{ successUrl: 'no', okay: false, acceptedAt: 0, status_text: 'error' }],
	[[{ success: true }, { id: 'T1' }]],
	[[{ eventId: 'another' }, { eventId }]],
	// A yes counts more than a no.
	[{ success: true, error: 'x' }],
	[{ ok: 'true', status: 'error' }],
	[[{ success: 'yes', errors: ['x'] }]],
	// A state of the transaction, which exists.
	[{ id: 'T1', status: 'FAILED' }],
	[{ transaction_id: 7, status: 'failure' }],
	[{ eventId: eventId.toUpperCase(), externalId: 'another' }],
	[{ eventId: 'another', externalId }],
	[{ eventId: '', event: { id: 'evt_1' } }],
	[{ eventId: null, data: {} }],
	// Some frameworks send JSON with this type.
	[{ id: 'T1' }, 200, HTML],
])('%j confirms it', (body, status = 200, headers = {}) =>
	expect(deny(body, status, headers)).toBe(undefined),
);

test.each<[unknown, RegExp, number?, object?]>([
	[{ errcode: 40001, errmsg: 'invalid credential' }, /errcode 40001/],
	[{ errmsg: 'invalid credential' }, /errmsg/],
	[{ hasErrors: true }, /hasErrors true/],
	[{ isError: true }, /isError/],
	[{ has_fault: 'yes' }, /has_fault/],
	[{ isFailed: 1 }, /isFailed/],
	[{ is_failure: 'Y' }, /is_failure/],
	[{ failed: true }, /failed true/],
	[{ fail: 'x' }, /fail "x"/],
	[{ failed_count: 2 }, /failed_count 2/],
	[{ 'failure-details': [{ note: 'x' }] }, /failure-details$/],
	[{ faults: ['x'] }, /faults/],
	[{ errorNumber: 5 }, /errorNumber 5/],
	[{ error: { list: [null, ['x']] } }, /has error$/],
	[{ successful: false }, /successful false/],
	[{ succeeded: 'no' }, /succeeded "no"/],
	[{ isOk: 0 }, /isOk 0/],
	[{ isAccepted: false }, /isAccepted false/],
	[{ success: 'failed' }, /success "failed"/],
	[{ ok: false, success: true }, /ok false/],
	[[{ success: false }, { success: true }], /success false/],
	[[{ success: true }, [{ error: 'x' }]], /error "x"/],
	[[{ id: 'T1' }, false], /only false/],
	// Nested deeper than it's read.
	[Array.from({ length: 60 }).reduce((inner) => [inner], { success: false }), /can't be read/],
	[[{ eventId: 'another' }, { eventId: 'one more' }], /another Event ID/],
	['ERROR:1042', /neither "OK" nor an ID/],
	['err-10042', /neither/],
	['REJECTED.51:2', /neither/],
	['E1042:FAILED', /neither/],
	['Error1042', /neither/],
	[{ errorCode: 'INSUFFICIENT_FUNDS', message: 'Not enough', externalId }, /has errorCode$/],
	[{ eventId, error: 'x' }, /error "x"/],
	[[{ errorCode: 'LIMIT' }], /errorCode "LIMIT"/],
	[[{ success: false, id: 'T1' }], /success false/],
	[{ error: true }, /error true/],
	[{ hasError: true }, /hasError true/],
	[{ has_error: 'yes' }, /has_error/],
	[{ failed: true }, /failed true/],
	[{ failed: 1 }, /failed 1/],
	[{ failureReason: 'limit' }, /failureReason "limit"/],
	[{ Errors: ['x'] }, /has Errors$/],
	[{ fault: { string: 'No' } }, /has fault$/],
	[{ errors: { amount: [[{ a: 'x' }]] } }, /errors/],
	...['success', 'is_success', 'OK', 'accepted'].flatMap((name) =>
		[false, 0, '0', 'false', 'No', 'n', 'failed', 'FAILED'].map((no): [unknown, RegExp] => [
			{ [name]: no },
			new RegExp(name),
		]),
	),
	[{ status: false, message: 'Insufficient balance' }, /status false/],
	[{ status: 'Fail' }, /status "Fail"/],
	[{ status: 'ERROR', id: 'T1' }, /status "ERROR"/],
	[{ status: 'failed' }, /status "failed"/],
	[{ status: 'FAILURE', requestId: 'r1' }, /status "FAILURE"/],
	[{ status: 'failed', id: null, paymentId: 0 }, /status "failed"/],
	// What was sent comes back with the reason why it isn't recorded.
	[{ status: 'failed', id: externalId, eventId }, /status "failed"/],
	[{ eventId, success: false, message: 'Insufficient balance' }, /success false/],
	[{ statusCode: 422, message: 'No.' }, /statusCode 422/],
	[{ status_code: '500' }, /status_code/],
	[{ success: 'unsure', error: 'x' }, /error "x"/],
	// Only `success` and `ok` outvote a no.
	[{ isSuccess: true, accepted: true, error: 'x' }, /error "x"/],
	[{ eventId: 'another' }, /another Event ID/],
	[{ event_id: 'another', externalId: 'another', success: true }, /another Event ID/],
	[[{ eventId: 5 }], /another Event ID/],
	[false, /only false/],
	[UNREADABLE, /can't be read/],
	['{"id":"T1","sta', /can't be read/, 202],
	['"T1', /can't be read/],
	['<?xml version="1.0"?><Error/>', /can't be read/],
	['<html></html>', /web page/],
	['n8n is starting up', /web page/, 200, HTML],
	['n8n is starting up. Please wait', /neither "OK" nor an ID/],
	['Declined', /neither/],
	['ok', /neither/],
	['T1', /neither/],
	['Rejected-Limit', /neither/],
	['E100!', /neither/],
	['1'.repeat(101), /neither/],
	[1, /neither/],
	// A server that shows nothing, such as PHP after a fault.
	['', /web page/, 200, HTML],
	['OK', /web page/, 202, HTML],
])('%j leaves it open: %s', (body, says, status = 200, headers = {}) =>
	expect(deny(body, status, headers)).toMatch(says),
);

test('a status that was sent as External Status is one of the transaction', () => {
	expect(deny({ status: 'failed' }, 202, {}, 'Failed')).toBe(undefined);
	expect(deny({ status: 'failed' }, 202, {}, 'booked')).toMatch(/failed/);
	expect(deny({ status: 'error' }, 202, {}, 'error')).toMatch(/error/);
});
