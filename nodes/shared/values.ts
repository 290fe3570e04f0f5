/** Returns a text unchanged, and an empty text for everything else. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Says whether a value is an object with members: no list, and not null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const MAX_QUOTED_LENGTH = 60;

/** Formats a value for a message: short, and never the inside of an object, which may hold what isn't for everyone's eyes. */
export function quote(value: unknown): string {
	if (typeof value === 'string') {
		const shortened =
			value.length > MAX_QUOTED_LENGTH ? `${value.slice(0, MAX_QUOTED_LENGTH)}…` : value;
		return `"${shortened}"`;
	}
	if (Array.isArray(value)) return 'A list';
	if (typeof value === 'object' && value !== null) return 'An object';
	if (typeof value === 'symbol' || typeof value === 'function') return `A ${typeof value}`;
	return String(value);
}
