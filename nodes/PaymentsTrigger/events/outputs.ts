import type { PaymentEvent } from './parseEvents';

/** The parameters that decide which output an event leaves by. */
export interface OutputParameters {
	/** The value of 'Trigger On'. An expression or imported JSON can give anything; only a list selects event types. */
	events?: unknown;
	options?: { additionalEventTypes?: string; oneOutputPerEventType?: boolean };
}

/** An output of the node, as n8n's editor draws it. */
export interface Output {
	type: 'main';
	displayName?: string;
}

/*
 * How the outputs get into the editor:
 *
 *   PaymentsTrigger.description.outputs = `={{(${outputsFor})($parameter)}}`   the function's source, as text
 *     → n8n sends the description to the editor as JSON
 *     → whenever a parameter changes, the editor evaluates the text as an expression and draws one connector per element
 *     → when the workflow runs, n8n evaluates the same expression to know how many outputs the node has
 *   handleDelivery() → route() → outputsFor()   the same function, called directly, so that both always agree
 */

/**
 * Lists the outputs of the node: a single one, or one per selected event type and, when all events are selected, a last
 * one for the others. Runs as an expression, so it must not refer to anything outside itself.
 */
export function outputsFor(parameters: OutputParameters): Output[] {
	const options = parameters.options || {};
	if (!options.oneOutputPerEventType) return [{ type: 'main' }];

	const selected = (Array.isArray(parameters.events) ? parameters.events : []) as string[];
	const additional = String(options.additionalEventTypes || '').split(/[\s,]+/);
	const names = selected
		.concat(additional)
		.filter((name, index, all) => name && name !== '*' && all.indexOf(name) === index);
	if (selected.includes('*')) names.push(names.length > 0 ? 'Other Events' : 'All Events');
	return names.map((displayName) => ({ type: 'main', displayName }));
}

/** Lists one output per selected event type, whatever the option says. Empty when no event type is selected. */
export function outputPerEventType({ events, options }: OutputParameters): Output[] {
	return outputsFor({ events, options: { ...options, oneOutputPerEventType: true } });
}

/** Returns a function that maps an event type to the index of its output, or to -1 when it is not selected. */
export function createOutputIndex(parameters: OutputParameters): (eventType: string) => number {
	const outputs = outputPerEventType(parameters);
	const isSeparate = parameters.options?.oneOutputPerEventType ?? false;
	const acceptsAll = Array.isArray(parameters.events) && parameters.events.includes('*');

	const indexByEventType = new Map<string | undefined, number>();
	for (const [index, { displayName }] of outputs.entries()) {
		indexByEventType.set(displayName, isSeparate ? index : 0);
	}

	let indexOfOthers = -1;
	if (acceptsAll) indexOfOthers = isSeparate ? outputs.length - 1 : 0;
	return (eventType) => indexByEventType.get(eventType) ?? indexOfOthers;
}

/** Distributes events over the outputs, in the order of their delivery. Every event must be selected. */
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
