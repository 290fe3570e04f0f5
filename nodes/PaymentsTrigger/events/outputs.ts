import { ALL_EVENTS } from './eventTypes';
import type { PaymentEvent } from './parseEvents';

/** The parameters that decide which output an event leaves by. */
export interface OutputParameters {
	/**
	 * The value of 'Trigger On'. An expression can give anything; only a list selects event types.
	 */
	events?: unknown;
	options?: { additionalEventTypes?: string; oneOutputPerEventType?: boolean };
}

/** An output of the node, as n8n's editor draws it. */
export interface NodeOutput {
	type: 'main';
	displayName?: string;
}

/**
 * Lists the event types that get an output of their own, and last `*` if all others are selected,
 * too. Part of an expression: refers to nothing outside itself, so it spells `ALL_EVENTS` out.
 */
function selectedEventTypes({ events, options }: OutputParameters): string[] {
	const selected = (Array.isArray(events) ? events : []).map((name) => String(name).trim());
	const additional = String(options?.additionalEventTypes || '').split(/[\s,]+/);
	const eventTypes = selected
		.concat(additional)
		.filter((name, index, all) => name && name !== '*' && all.indexOf(name) === index);
	return selected.includes('*') ? eventTypes.concat('*') : eventTypes;
}

/**
 * Names an output. The canvas cuts a name off after some 12 letters, so `PAYMENT.STATUS_UPDATED` is
 * "Payment Status", and `VIRTUAL_ACCOUNT.CREATED` is "VA Created". Part of an expression.
 */
export function outputName(eventType: string): string {
	if (!/^[A-Z][A-Z_]*\.[A-Z][A-Z_]*$/.test(eventType)) return eventType;
	const [subject, change] = eventType.split('.').map((words) =>
		words
			.split('_')
			.filter((word) => word)
			.map((word) => word[0] + word.slice(1).toLowerCase()),
	);
	const about = subject.length > 1 ? subject.map((word) => word[0]).join('') : subject[0];
	return [about].concat(change.join(' ').replace(/ Updated$/, '')).join(' ');
}

/** Lists the outputs of the node: a single one, or one for each of `selectedEventTypes`. */
export function outputsFor(parameters: OutputParameters): NodeOutput[] {
	if (!parameters.options?.oneOutputPerEventType) return [{ type: 'main' }];
	const eventTypes = selectedEventTypes(parameters);
	const others = eventTypes.length > 1 ? 'Other Events' : 'All Events';
	return eventTypes.map((eventType) => ({
		type: 'main',
		displayName: eventType === '*' ? others : outputName(eventType),
	}));
}

/**
 * The outputs as the node's description has them. n8n sends this text to the editor, which
 * evaluates it and draws one connector per element; when the workflow runs, n8n evaluates it to
 * count the node's outputs. `route` calls the same functions directly.
 */
export const outputsExpression =
	`={{(() => { ${[selectedEventTypes, outputName, outputsFor].join('\n')}
return outputsFor($parameter); })()}}` as const;

/** Returns a function that maps an event type to the index of its output: -1 if not selected. */
export function createOutputIndex(parameters: OutputParameters): (eventType: string) => number {
	const eventTypes = selectedEventTypes(parameters);
	const isSeparate = parameters.options?.oneOutputPerEventType ?? false;
	const indexes = new Map(eventTypes.map((name, index) => [name, isSeparate ? index : 0]));
	const indexOfOthers = indexes.get(ALL_EVENTS) ?? -1;
	indexes.delete(ALL_EVENTS);
	return (eventType) => indexes.get(eventType) ?? indexOfOthers;
}

/**
 * Distributes events over the outputs, in the order of their delivery. Every event must be
 * selected.
 */
export function route(
	events: readonly PaymentEvent[],
	parameters: OutputParameters,
): PaymentEvent[][] {
	const outputs: PaymentEvent[][] = outputsFor(parameters).map(() => []);
	const indexOf = createOutputIndex(parameters);
	for (const event of events) {
		outputs[indexOf(event.eventType)].push(event);
	}
	return outputs;
}
