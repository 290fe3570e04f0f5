const isTextList = (value: unknown): value is string[] =>
	Array.isArray(value) && value.every((one) => typeof one === 'string');

/**
 * Checks the value of 'Trigger On'. The editor only makes lists of event types, but an expression or imported JSON can
 * give anything.
 *
 * @returns what is wrong and how to fix it, or undefined when the value selects at least one event type
 */
export function checkSelectedEvents(events: unknown): string | undefined {
	if (!isTextList(events)) {
		return "The value of 'Trigger On' isn't a list of event types. Select the event types in the list, or use an expression that returns an array of them, such as {{ ['PAYMENT.CREATED'] }}.";
	}
	if (!events.some((event) => event.trim() !== '')) {
		return "No event type is selected. Select at least one under 'Trigger On'.";
	}
	return undefined;
}
