/**
 * Splits text into words in lower case, at case, and at everything that is neither letter nor
 * digit. `eventId`, `EVENT_ID`, and `Event ID` are the same two words. "prevention" contains no
 * `event`.
 */
export const wordsOf = (text: string): string[] =>
	text
		.replace(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, '$1 ')
		.replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter(Boolean);
