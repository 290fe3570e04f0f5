import type { Problem } from '../../shared/result';

const isTextList = (value: unknown): value is string[] =>
	Array.isArray(value) && value.every((one) => typeof one === 'string');

/**
 * Checks the value of 'Trigger On'. The editor only makes lists of event types, but an expression
 * or imported JSON can give anything.
 *
 * @returns undefined when the value selects at least one event type
 */
export function checkSelectedEvents(events: unknown): Problem | undefined {
	if (!isTextList(events)) {
		return {
			message: "The value of 'Trigger On' isn't a list of event types",
			fix: "Select the event types in the list, or use an expression that returns an array of them, such as {{ ['PAYMENT.CREATED'] }}.",
		};
	}
	if (!events.some((event) => event.trim() !== '')) {
		return {
			message: 'No event type is selected',
			fix: "Select at least one under 'Trigger On'.",
		};
	}
	return undefined;
}
