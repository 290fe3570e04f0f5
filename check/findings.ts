import { PaymentsApi } from '../credentials/PaymentsApi.credentials';
import { PaymentsWebhookApi } from '../credentials/PaymentsWebhookApi.credentials';
import { Payments } from '../nodes/Payments/Payments.node.ts';
import { PaymentsTrigger } from '../nodes/PaymentsTrigger/PaymentsTrigger.node.ts';
import type { INodeProperties } from 'n8n-workflow';

/** A field of the editor and the value that the service needs there, by their display names. */
export interface Setting {
	/** The credential or the node that has the field. */
	where: string;
	field: string;
	value: string;
}

/** What the check concludes from what the service answered. */
export type Finding = {
	/** A sentence without a period at the end. */
	text: string;
} & (
	| { kind: 'note' | 'doesntFit' }
	/** `notKnown`: what no check of this length can show. Sentences, for the verdict. */
	| { kind: 'fits'; notKnown?: string }
	| { kind: 'set'; setting: Setting }
	/** Only a look at the service can tell. */
	| { kind: 'lookUp'; question: Question }
);

/** Whether the service has a transaction exactly once. */
export interface Question {
	eventId: string;
	/** Why it doesn't fit if the service has it more than once, or not at all. A clause. */
	otherwise: string;
}

const CREDENTIAL = new PaymentsApi();
const WEBHOOK_CREDENTIAL = new PaymentsWebhookApi();
const NODE = new Payments().description;
const TRIGGER = new PaymentsTrigger().description;

/** Where a setting is, and the fields there, as the editor has them. */
const PLACES = {
	credential: [CREDENTIAL.displayName, CREDENTIAL.properties],
	webhookCredential: [WEBHOOK_CREDENTIAL.displayName, WEBHOOK_CREDENTIAL.properties],
	node: [NODE.displayName, withOptions(NODE.properties)],
	trigger: [TRIGGER.displayName, withOptions(TRIGGER.properties)],
} satisfies Record<string, [string, INodeProperties[]]>;

function withOptions(properties: INodeProperties[]): INodeProperties[] {
	const inner = properties.flatMap(({ type, options = [] }) =>
		type === 'collection' ? (options as INodeProperties[]) : [],
	);
	return [...properties, ...inner];
}

function propertyOf(place: keyof typeof PLACES, name: string): INodeProperties {
	const property = PLACES[place][1].find((one) => one.name === name);
	if (!property) throw new Error(`The editor has no field ${name}.`);
	return property;
}

/**
 * Names a setting as the editor does.
 *
 * @param name of the parameter
 * @param value what to enter, or the value of the option to select
 */
export function settingOf(
	place: keyof typeof PLACES,
	name: string,
	value: string | number,
): Setting {
	const [where] = PLACES[place];
	const { displayName, type, options = [] } = propertyOf(place, name);
	const option = options.find((one) => 'value' in one && one.value === value);
	if (type === 'options' && !option) throw new Error(`${displayName} has no option ${value}.`);
	return { where, field: displayName, value: option?.name ?? String(value) };
}

/** The value that a field has if nobody changes it. */
export const defaultOf = (place: keyof typeof PLACES, name: string): unknown =>
	propertyOf(place, name).default;
