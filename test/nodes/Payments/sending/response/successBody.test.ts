import { findDenial } from '../../../../../nodes/Payments/sending/response/successBody';
import { UNREADABLE } from '../../../../../nodes/Payments/sending/response/responseBody';
import { SAMPLE } from '../../../../support/builders/transactions';

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const deny = (body: unknown, status = 200, headers = {}) =>
	findDenial({ status, headers, body }, SAMPLE);

test.each<[unknown, number?, object?]>([
	[undefined],
	[null],
	[''],
	['', 202, HTML],
	['OK'],
	['Declined'],
	[[{ success: false }]],
	[{ id: 'T1', currency: { code: 'EUR' } }],
	[{ code: 'PENDING', message: 'Insufficient funds', reason: 'x' }],
	[{ status: 'REJECTED' }],
	[{ errorCode: '0' }],
	[{ errors: { count: 0 }, fault: [], error: { code: '', list: [null, [0]] } }],
	[{ event: { id: 'evt_1' }, eventId: 'another' }],
	[{ ErrorCode: '0', ErrorText: '', Success: true }],
	[{ errcode: 0, errmsg: 'ok' }],
	[{ error: 'None', errors: 'false', err_code: '000' }],
	[{ data: { success: false, error: 'x' } }],
	// A yes counts more than a no.
	[{ success: true, error: 'x' }],
	[{ ok: 'true', status: 'error' }],
	[{ eventId: SAMPLE.eventId, error: 'x' }],
	[{ external_id: SAMPLE.externalId, status: false }],
	// Some frameworks send JSON with this type.
	[{ id: 'T1' }, 200, HTML],
])('%j confirms it', (body, status = 200, headers = {}) =>
	expect(deny(body, status, headers)).toBe(undefined),
);

test.each<[unknown, RegExp, number?, object?]>([
	[{ errcode: 40001, errmsg: 'invalid credential' }, /errcode 40001/],
	[{ status: false, message: 'Insufficient balance' }, /status false/],
	[{ error: true }, /error true/],
	[{ Errors: ['x'] }, /Errors "\[/],
	[{ fault: { string: 'No' } }, /fault .*string/],
	[{ errors: { amount: [[{ a: 'x' }]] } }, /errors/],
	...[false, 0, '0', 'false', 'No', 'n'].map((no): [unknown, RegExp] => [
		{ is_success: no },
		/is_success/,
	]),
	[{ ok: false }, /ok false/],
	[{ status: 'Fail' }, /status "Fail"/],
	[{ status: 'ERROR' }, /status "ERROR"/],
	[{ success: 'unsure', error: 'x' }, /error "x"/],
	[{ eventId: 'another', error: 'x' }, /error "x"/],
	// What was sent comes back with the reason why it isn't recorded.
	[{ eventId: SAMPLE.eventId, success: false, message: 'Insufficient balance' }, /success false/],
	[{ externalId: SAMPLE.externalId, status: 'error', message: 'x' }, /status "error"/],
	[false, /only false/],
	[UNREADABLE, /can't be read/],
	['{"id":"T1","sta', /can't be read: .*sta/, 202],
	['"T1', /can't be read/],
	['<?xml version="1.0"?><Error/>', /can't be read/],
	['<html></html>', /web page/],
	['n8n is starting up', /web page/, 200, HTML],
	// A server that shows nothing, such as PHP after a fault.
	['', /web page/, 200, HTML],
	['OK', /web page/, 202, HTML],
])('%j leaves it open: %s', (body, says, status = 200, headers = {}) =>
	expect(deny(body, status, headers)).toMatch(says),
);
