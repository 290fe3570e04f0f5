import { checkCollection, type Collection } from '../shared/collection';
import { failed, ok, type Result } from '../shared/result';
import { CLOCK_SKEW_MS } from './signature/scheme';

/** Selects every event type, also those that the list doesn't have. */
export const ALL_EVENTS = '*';

/** Returns what is compared of an event type: case and outer blanks don't count. */
const comparedEventType = (eventType: string): string => eventType.trim().toLowerCase();

/** The values of the node's parameters, checked. */
export interface Settings {
	isSelected: (eventType: string) => boolean;
	isVerified: boolean;
	/** How old a signature may be. */
	toleranceMs: number;
	/** How long an acknowledged event counts as a duplicate, in ms. 0 if none does. */
	deduplicateMs: number;
}

/**
 * For how long services retry: ten attempts, ten minutes apart (docs/interface.md, 10.1), and some
 * time to spare.
 */
const RETRY_MINUTES = 120;

export const DEFAULT_TOLERANCE_MINUTES = RETRY_MINUTES;

/** A week. */
export const MAX_MINUTES = 7 * 24 * 60;

/** 'Options'. The editor declares each of them (description.ts). */
export const OPTIONS: Collection = {
	displayName: 'Options',
	member: 'option',
	names: ['additionalEventTypes', 'deduplicate', 'path', 'timestampTolerance'],
};

const CORRECT = 'Correct its value or its expression, or remove the option.';

/** Reads 'Trigger On' and 'Additional Event Types', as they are compared. */
function readSelection(events: unknown, additional: unknown): Result<Set<string>> {
	if (!Array.isArray(events) || !events.every((one) => typeof one === 'string')) {
		return failed(
			"The value of 'Trigger On' isn't a list of event types",
			"Select the event types in the list, or use an expression that returns an array of them, such as {{ ['PAYMENT.CREATED'] }}.",
		);
	}
	if (typeof additional !== 'string') {
		return failed(
			"The value of 'Additional Event Types' isn't text",
			'Enter the event types, separated by commas, or clear the field.',
		);
	}
	const names = [...events, ...additional.split(/[\s,]+/)].map(comparedEventType);
	const selected = new Set(names.filter((name) => name !== ''));
	if (selected.size > 0) return ok(selected);
	return failed('No event type is selected', "Select at least one under 'Trigger On'.");
}

/**
 * Reads the parameters. The editor makes values of the right types only, but an expression or
 * imported JSON can give anything. No default takes the place of a value that can't be used: it
 * could let deliveries in, or ignore them.
 *
 * @param read returns the value of a parameter, or of the fallback if there is none
 */
export function readSettings(read: (name: string, fallback: unknown) => unknown): Result<Settings> {
	const { value: options, problem } = checkCollection(read('options', {}), OPTIONS);
	if (problem) return { problem };
	const { additionalEventTypes = '' } = options;
	const selection = readSelection(read('events', undefined), additionalEventTypes);
	if (selection.problem) return selection;
	const { timestampTolerance: tolerance = DEFAULT_TOLERANCE_MINUTES } = options;
	if (typeof tolerance !== 'number' || !(tolerance > 0 && tolerance <= MAX_MINUTES)) {
		return failed(
			`'Timestamp Tolerance (Minutes)' isn't a number above 0, up to ${MAX_MINUTES}`,
			CORRECT,
		);
	}
	// Whoever has recorded a delivery can send it again while its signature is accepted: for the
	// tolerance, and before that for as long as its time is in the future. A service that signs each
	// attempt anew retries for longer than that.
	const shortest = Math.max(RETRY_MINUTES, tolerance);
	const { deduplicate = shortest } = options;
	const isOff = deduplicate === 0;
	if (
		typeof deduplicate !== 'number' ||
		!(isOff || (deduplicate >= shortest && deduplicate <= MAX_MINUTES))
	) {
		return failed(
			`'Deduplicate (Minutes)' isn't a number from ${shortest} up to ${MAX_MINUTES}, or 0`,
			CORRECT,
		);
	}
	return ok({
		isSelected: (eventType) =>
			selection.value.has(ALL_EVENTS) || selection.value.has(comparedEventType(eventType)),
		isVerified: read('authentication', undefined) !== 'none',
		toleranceMs: tolerance * 60_000,
		deduplicateMs: isOff ? 0 : deduplicate * 60_000 + CLOCK_SKEW_MS,
	});
}
