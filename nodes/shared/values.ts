/** Returns a text unchanged, and an empty text for everything else. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Whether a value is an object with members: no list, and not null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a member of an object itself, and none that it inherits. */
export const ownMember = (object: Record<string, unknown>, name: string): unknown =>
	Object.hasOwn(object, name) ? object[name] : undefined;

/** Whether there is no value: nothing, or only blanks. */
export const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/**
 * Whether there is no value: nothing, or only blanks and invisible characters (Unicode category
 * Cf).
 */
export const isEmpty = (value: unknown): boolean =>
	isBlank(typeof value === 'string' ? value.replace(/[\p{Cf}\u0085]/gu, '') : value);

const MAX_QUOTED_LENGTH = 60;

/** Characters that nobody sees, or that look like a blank. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}]|[^\S ]/gu;

/** So that somebody sees why a name or a value doesn't match, such as `[U+FEFF]` (BOM). */
const codePointOf = (character: string) =>
	`[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`;

/**
 * Formats a value for a message. Never shows the inside of an object, which may be confidential.
 */
export function quote(value: unknown): string {
	if (typeof value === 'string') {
		const shortened =
			value.length > MAX_QUOTED_LENGTH
				? `${value.slice(0, MAX_QUOTED_LENGTH).replace(/[\ud800-\udbff]$/, '')}…`
				: value;
		return `"${shortened.replace(UNSEEN, codePointOf)}"`;
	}
	if (Array.isArray(value)) return 'A list';
	if (typeof value === 'object' && value !== null) return 'An object';
	if (typeof value === 'symbol' || typeof value === 'function') return `A ${typeof value}`;
	return String(value);
}
