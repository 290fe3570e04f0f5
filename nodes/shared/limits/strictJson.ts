/** `problem` completes a sentence about the text, such as "This body …". */
export type StrictJson =
	| { value: unknown; problem?: undefined }
	| { value?: undefined; problem: string };

/** A string with a colon after it, which makes it the name of a member, or the beginning or end of an object or a list. */
const STRUCTURE = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\]]/g;

/**
 * Parses JSON that every parser reads in the same way: an object with two members of one name is a problem, because parsers differ in which
 * of the two they take (RFC 8259, section 4). Never throws.
 */
export function parseStrictJson(text: string): StrictJson {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return { problem: 'is not JSON' };
	}
	const repeated = findRepeatedName(text);
	if (repeated !== undefined) return { problem: `contains "${repeated.slice(0, 40)}" twice` };
	return { value };
}

/** @param json valid JSON */
function findRepeatedName(json: string): string | undefined {
	/** The names so far in each object that is open at this place; lists have an entry, too, which stays empty. */
	// Stryker disable next-line ArrayDeclaration: each member is in an object that was opened after it
	const open: Array<Set<string>> = [];
	for (const [token, literal, colon] of json.matchAll(STRUCTURE)) {
		if (token === '{' || token === '[') open.push(new Set());
		else if (token === '}' || token === ']') open.pop();
		else if (colon !== undefined) {
			const name = JSON.parse(literal) as string;
			const names = open[open.length - 1];
			if (names.has(name)) return name;
			names.add(name);
		}
	}
	return undefined;
}
