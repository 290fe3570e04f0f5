/** Returns a text unchanged, and an empty text for everything else. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
