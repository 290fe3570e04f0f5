import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { PaymentsWebhookApi } from '../../../credentials/PaymentsWebhookApi.credentials';
import { PaymentsTrigger } from '../../../nodes/PaymentsTrigger/PaymentsTrigger.node';
import {
	ALL_EVENTS,
	eventTypes,
	recommendedEventTypes,
} from '../../../nodes/PaymentsTrigger/eventTypes';

const { description } = new PaymentsTrigger();
const credential = new PaymentsWebhookApi();
const propertyOf = (properties: INodeProperties[], name: string) =>
	properties.find((one) => one.name === name)!;

describe('event types', () => {
	test('begin with those of payments, each has a name and a meaning, and the recommended ones are among them', () => {
		const constants = eventTypes.map(({ value }) => value);
		expect(constants.slice(0, 2)).toEqual(['PAYMENT.STATUS_UPDATED', 'PAYMENT.CREATED']);
		expect(new Set(constants).size).toBe(38);
		expect(new Set(eventTypes.map(({ name }) => name)).size).toBe(38);
		expect(new Set(eventTypes.map(({ meaning }) => meaning)).size).toBe(38);
		expect(constants).toEqual(expect.arrayContaining(recommendedEventTypes));
		expect(eventTypes).toContainEqual({
			value: 'PAYMENT.STATUS_UPDATED',
			name: 'Payment Status Updated',
			meaning: 'the status of a payment changed',
		});
		expect(eventTypes).toContainEqual({
			value: 'INDIVIDUAL_END_USER.UPDATED',
			name: 'Individual End User Updated',
			meaning: 'anything about an individual end user changed',
		});
	});

	test('Trigger On has all of them and All Events, and the recommended ones are selected', () => {
		const { options = [], required, ...rest } = propertyOf(description.properties, 'events');
		expect([required, rest.default]).toEqual([true, recommendedEventTypes]);
		expect(options[0]).toMatchObject({ name: 'All Events', value: ALL_EVENTS });
		expect(options).toHaveLength(39);
		expect(options).toContainEqual({
			name: 'Payment Created',
			value: 'PAYMENT.CREATED',
			description: 'PAYMENT.CREATED: a payment was created',
		});
	});
});

/*
 * Rules of n8n's main branch that the pinned linter doesn't have: options-sorted-alphabetically,
 * non-required-fields-in-collection, single-credential-per-node, and no description of Trigger On.
 */
describe("what n8n's reviewers look at", () => {
	const all = [...description.properties, ...credential.properties];

	test.each(
		all
			.filter(({ type }) => ['options', 'collection'].includes(type))
			.map((one) => [one.displayName, one] as const),
	)('the options of %s are in alphabetical order', (_, { options = [] }) => {
		const names = (options as Array<INodePropertyOptions | INodeProperties>).map((one) =>
			'displayName' in one ? one.displayName : one.name,
		);
		expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other)));
	});

	test('the search hint fits, and the type definition has the fields of the items', () => {
		const { searchHint, extraTypeDefContent } = description.builderHint!;
		expect(searchHint!.length).toBeLessThanOrEqual(500);
		expect(extraTypeDefContent![0].content).toMatch(/previousValues[^]*ACTIVATION_FAILED/);
	});

	test('no option in the collection is required', () => {
		const { options } = propertyOf(description.properties, 'options');
		expect((options as INodeProperties[]).filter(({ required }) => required)).toEqual([]);
	});

	test('Trigger On has no description, and everything else has one', () => {
		const silent = all.filter((one) => one.type !== 'notice' && one.type !== 'collection');
		expect(silent.filter((one) => !one.description).map(({ displayName }) => displayName)).toEqual([
			'Trigger On',
		]);
	});

	test('there is one credential', () => expect(description.credentials).toHaveLength(1));
});
