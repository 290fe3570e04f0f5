import type { PaymentEvent } from './parseEvents';

/** The parameters that decide what comes out where. */
export interface OutputParameters {
	events?: string[];
	options?: { otherEvents?: string; outputPerKind?: boolean };
}

/** An output of the node, as n8n's editor draws it. */
export interface Output {
	type: 'main';
	displayName?: string;
}

/**
 * The outputs of the node: one, or one for each chosen kind and, where all events are chosen, a last one for the others.
 * The editor runs this function from its source, as an expression: it must not refer to anything outside itself.
 */
export function outputsFor(parameters: OutputParameters): Output[] {
	const options = parameters.options || {};
	if (!options.outputPerKind) return [{ type: 'main' }];
	const typed = String(options.otherEvents || '').split(/[\s,]+/);
	const kinds = (parameters.events || [])
		.concat(typed)
		.filter((kind, i, all) => kind && kind !== '*' && all.indexOf(kind) === i);
	const names = (parameters.events || []).includes('*')
		? kinds.concat(kinds.length > 0 ? 'Other Events' : 'All Events')
		: kinds;
	return names.map((displayName) => ({ type: 'main', displayName }));
}

/** A function that says which output an event of a kind goes to: its index, or -1 when nothing listens to that kind. */
export function outputOf(choice: OutputParameters): (kind: string) => number {
	const all = choice.events?.includes('*') ?? false;
	const perKind = outputsFor({ ...choice, options: { ...choice.options, outputPerKind: true } });
	const separate = choice.options?.outputPerKind ?? false;
	const listed = new Map(
		perKind
			.slice(0, all ? -1 : undefined)
			.map(({ displayName }, index) => [displayName, separate ? index : 0]),
	);
	const others = all ? (separate ? perKind.length - 1 : 0) : -1;
	return (kind) => listed.get(kind) ?? others;
}

/** Spreads events over the outputs, in the order in which they came; every event must have an output. */
export function route(events: readonly PaymentEvent[], choice: OutputParameters): PaymentEvent[][] {
	const outputs: PaymentEvent[][] = outputsFor(choice).map(() => []);
	const indexOf = outputOf(choice);
	for (const event of events) outputs[indexOf(event.kind)].push(event);
	return outputs;
}
