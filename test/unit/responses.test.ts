import { eventTypes } from '../../nodes/PaymentsTrigger/events/eventTypes';
import { checkSelectedEvents } from '../../nodes/PaymentsTrigger/events/selectedEvents';
import { deduplicate } from '../../nodes/PaymentsTrigger/deduplication/deduplicate';
import { responses } from '../../nodes/PaymentsTrigger/responses';

test('every response to a delivery, as docs/responses.md has it', () => {
	const table = Object.entries(responses).map(([name, response]) => {
		const { status, execution, message } = response;
		const retryAfter = 'retryAfter' in response ? response.retryAfter : undefined;
		return [name, status, execution, message, retryAfter];
	});
	expect(table).toEqual([
		['accepted', 200, true, '', undefined],
		['ignored', 200, false, "The workflow doesn't listen to events of this type.", undefined],
		[
			'duplicate',
			200,
			false,
			'This event was already acknowledged. To run it again, retry its execution in n8n, or resend it after the deduplication window.',
			undefined,
		],
		['empty', 400, false, 'The delivery has no body that can be read.', undefined],
		['notJson', 400, false, "The body isn't JSON in UTF-8.", undefined],
		['noEventType', 400, false, 'The body has no event, or an event without a type.', undefined],
		[
			'rejected',
			401,
			false,
			"The signature of this delivery wasn't accepted. The log of the receiver says why.",
			undefined,
		],
		[
			'unrecorded',
			500,
			true,
			"It isn't known whether the workflow succeeded. Retry the delivery.",
			undefined,
		],
		['inFlight', 503, false, 'Another delivery of this event is being processed. Retry later.', 30],
		['notReady', 503, false, "The receiver isn't set up. Its log says why. Retry later.", 300],
	]);
});

test.each([
	[
		'BUSINESS_END_USER.BUSINESS_DETAILS_UPDATED',
		'Business End User Business Details Updated',
		'the business details of a business end user changed',
	],
	['BUSINESS_END_USER.CREATED', 'Business End User Created', 'a business end user was created'],
	['BUSINESS_END_USER.DELETED', 'Business End User Deleted', 'a business end user was deleted'],
	[
		'BUSINESS_END_USER.LINKED_CRYPTO_WALLETS_UPDATED',
		'Business End User Linked Crypto Wallets Updated',
		'the linked crypto wallets of a business end user changed',
	],
	[
		'BUSINESS_END_USER.METADATA_UPDATED',
		'Business End User Metadata Updated',
		'the metadata of a business end user changed',
	],
	[
		'BUSINESS_END_USER.STATUS_UPDATED',
		'Business End User Status Updated',
		'the status of a business end user changed',
	],
	[
		'BUSINESS_END_USER.UPDATED',
		'Business End User Updated',
		'anything about a business end user changed',
	],
	[
		'FIAT_ACCOUNT.BALANCE_UPDATED',
		'Fiat Account Balance Updated',
		'the balance of a fiat account changed',
	],
	[
		'FIAT_ACCOUNT.BANK_DETAILS_UPDATED',
		'Fiat Account Bank Details Updated',
		'the bank details of a fiat account changed',
	],
	['FIAT_ACCOUNT.CREATED', 'Fiat Account Created', 'a fiat account was created'],
	[
		'FIAT_ACCOUNT.LABEL_UPDATED',
		'Fiat Account Label Updated',
		'the label of a fiat account changed',
	],
	[
		'FIAT_ACCOUNT.METADATA_UPDATED',
		'Fiat Account Metadata Updated',
		'the metadata of a fiat account changed',
	],
	[
		'FIAT_ACCOUNT.STATUS_UPDATED',
		'Fiat Account Status Updated',
		'the status of a fiat account changed',
	],
	['FIAT_ACCOUNT.TAGS_UPDATED', 'Fiat Account Tags Updated', 'the tags of a fiat account changed'],
	['FIAT_ACCOUNT.UPDATED', 'Fiat Account Updated', 'anything about a fiat account changed'],
	[
		'INDIVIDUAL_END_USER.CREATED',
		'Individual End User Created',
		'an individual end user was created',
	],
	[
		'INDIVIDUAL_END_USER.LINKED_CRYPTO_WALLETS_UPDATED',
		'Individual End User Linked Crypto Wallets Updated',
		'the linked crypto wallets of an individual end user changed',
	],
	[
		'INDIVIDUAL_END_USER.METADATA_UPDATED',
		'Individual End User Metadata Updated',
		'the metadata of an individual end user changed',
	],
	[
		'INDIVIDUAL_END_USER.PERSONAL_DETAILS_UPDATED',
		'Individual End User Personal Details Updated',
		'the personal details of an individual end user changed',
	],
	[
		'INDIVIDUAL_END_USER.STATUS_UPDATED',
		'Individual End User Status Updated',
		'the status of an individual end user changed',
	],
	[
		'INDIVIDUAL_END_USER.UPDATED',
		'Individual End User Updated',
		'anything about an individual end user changed',
	],
	['PAYEE.CREATED', 'Payee Created', 'a payee was created'],
	['PAYEE.DELETED', 'Payee Deleted', 'a payee was deleted'],
	['PAYEE.STATUS_UPDATED', 'Payee Status Updated', 'the status of a payee changed'],
	['PAYMENT.CREATED', 'Payment Created', 'a payment was created'],
	['PAYMENT.METADATA_UPDATED', 'Payment Metadata Updated', 'the metadata of a payment changed'],
	[
		'PAYMENT.PROCESSED_PAYMENT_SCHEME_UPDATED',
		'Payment Processed Payment Scheme Updated',
		'the processed payment scheme of a payment changed',
	],
	['PAYMENT.STATUS_UPDATED', 'Payment Status Updated', 'the status of a payment changed'],
	['PAYMENT.UPDATED', 'Payment Updated', 'anything about a payment changed'],
	['RETURN.CREATED', 'Return Created', 'a return was created'],
	['RETURN.STATUS_UPDATED', 'Return Status Updated', 'the status of a return changed'],
	['RETURN.UPDATED', 'Return Updated', 'anything about a return changed'],
	[
		'VIRTUAL_ACCOUNT.BANK_DETAILS_UPDATED',
		'Virtual Account Bank Details Updated',
		'the bank details of a virtual account changed',
	],
	['VIRTUAL_ACCOUNT.CREATED', 'Virtual Account Created', 'a virtual account was created'],
	[
		'VIRTUAL_ACCOUNT.LABEL_UPDATED',
		'Virtual Account Label Updated',
		'the label of a virtual account changed',
	],
	[
		'VIRTUAL_ACCOUNT.METADATA_UPDATED',
		'Virtual Account Metadata Updated',
		'the metadata of a virtual account changed',
	],
	[
		'VIRTUAL_ACCOUNT.STATUS_UPDATED',
		'Virtual Account Status Updated',
		'the status of a virtual account changed',
	],
	[
		'VIRTUAL_ACCOUNT.UPDATED',
		'Virtual Account Updated',
		'anything about a virtual account changed',
	],
])('%s is %s: %s', (eventType, name, meaning) =>
	expect(eventTypes[eventType]).toEqual({ name, meaning }),
);

describe('the value of Trigger On', () => {
	const NO_LIST =
		"The value of 'Trigger On' isn't a list of event types. Select the event types in the list, or use an expression that returns an array of them, such as {{ ['PAYMENT.CREATED'] }}.";
	const NONE = "No event type is selected. Select at least one under 'Trigger On'.";
	test.each([
		[undefined, NO_LIST],
		['PAYMENT.CREATED', NO_LIST],
		[['A', 5], NO_LIST],
		[[], NONE],
		[['', ' '], NONE],
		[['', 'A'], undefined],
		[['*'], undefined],
	])('%j: %s', (events, problem) => expect(checkSelectedEvents(events)).toBe(problem));
});

describe('deduplication', () => {
	let triggers = 0;
	const event = (id?: string, eventType = 'A') => ({ eventType, id, json: { id } });

	/** A response that ends when it is told to. */
	function newResponse({ closed = false } = {}) {
		const listeners: Array<() => void> = [];
		const response = {
			statusCode: 200,
			closed,
			writableFinished: false,
			once: (name: 'close', listener: () => void) => {
				expect(name).toBe('close');
				listeners.push(listener);
			},
			end(statusCode: number, writableFinished = true) {
				Object.assign(response, { statusCode, writableFinished, closed: true });
				for (const listener of listeners) listener();
			},
		};
		return response;
	}

	/** One trigger, to which events are delivered one after the other. */
	function newTrigger() {
		const name = `trigger ${++triggers}`;
		return (events: Array<ReturnType<typeof event>>, response = newResponse()) => {
			const result = deduplicate(name, events, response, 60_000);
			return typeof result === 'string' ? result : result.map(({ id }) => id);
		};
	}

	test.each([
		[200, true, []],
		[299, true, []],
		[199, true, ['1']],
		[300, true, ['1']],
		[500, true, ['1']],
		[200, false, ['1']],
	])('after %i, sent %p, the next delivery runs %j', (statusCode, writableFinished, next) => {
		const deliver = newTrigger();
		const response = newResponse();
		expect(deliver([event('1')], response)).toEqual(['1']);
		expect(deliver([event('1')])).toBe('inFlight');
		response.end(statusCode, writableFinished);
		expect(deliver([event('1')])).toEqual(next);
	});

	test('a sender that has hung up retries, so nothing is remembered', () => {
		const deliver = newTrigger();
		expect(deliver([event('1')], newResponse({ closed: true }))).toEqual(['1']);
		expect(deliver([event('1')])).toEqual(['1']);
	});

	test('an event twice in one delivery runs once; without an ID, or of another type, it is another', () => {
		const deliver = newTrigger();
		const events = [event('1'), event('1'), event(), event(), event('1', 'B')];
		const response = newResponse();
		expect(deliver(events, response)).toEqual(['1', undefined, undefined, '1']);
		response.end(200);
		expect(deliver([event(), event('1'), event('2')])).toEqual([undefined, '2']);
	});

	test('one event that is being processed holds back the whole delivery', () => {
		const deliver = newTrigger();
		deliver([event('1')]);
		expect(deliver([event('2'), event('1')])).toBe('inFlight');
		expect(deliver([event('2')])).toEqual(['2']);
	});

	test('each trigger has events of its own', () => {
		const [one, other] = [newTrigger(), newTrigger()];
		one([event('1')]);
		expect(other([event('1')])).toEqual(['1']);
	});
});
