import { failed, ok, type Result } from '../shared/result';
import { quote } from '../shared/values';

/**
 * Reads the credential's field Codes for Recorded Already: codes, `409`, and whole texts, separated
 * by commas. One that has a comma itself is in double quotes.
 *
 * @param field text, or a number from an expression; empty for no entry
 */
export function parseRecordedCodes(field: unknown): Result<readonly string[]> {
	const text = typeof field === 'number' ? String(field) : (field ?? '');
	if (typeof text !== 'string') return refuse("its value isn't text");
	if (text.trim() === '') return ok([]);
	const entries = splitOutsideQuotes(text);
	for (const [index, entry] of entries.entries()) {
		const reason = findReason(entry);
		if (reason !== undefined)
			return refuse(`entry ${index + 1}${entry && `, ${quote(entry)},`} ${reason}`);
	}
	return ok(entries.map((entry) => entry.replace(/^"(.*)"$/, '$1')));
}

const refuse = (because: string) =>
	failed(
		`'Codes for Recorded Already' in the credential can't be used, because ${because}`,
		'Correct it in the credential: separate codes by commas, such as DUPLICATE_TRANSACTION, 1062.',
	);

/** Splits at the commas that aren't in double quotes. */
function splitOutsideQuotes(text: string): string[] {
	const entries = [''];
	for (const [index, piece] of text.split('"').entries()) {
		const isQuoted = index % 2 === 1;
		const [first, ...others] = isQuoted ? [piece] : piece.split(',');
		entries[entries.length - 1] += (index === 0 ? '' : '"') + first;
		entries.push(...others);
	}
	return entries.map((entry) => entry.trim());
}

/** Also those that word processors write, and those of other languages. */
const QUOTE = /["\u201c-\u201f\u00ab\u00bb]/;
const SINGLE_QUOTED = /^['`\u2018-\u201b].*['`\u2018-\u201b]$/;

/** Says why an entry can't be used. */
function findReason(entry: string): string | undefined {
	if (entry === '') return 'is empty';
	if (!/[\p{L}\p{N}]/u.test(entry)) return 'has no letter and no digit';
	const isQuoted = /^"[^"]+"$/.test(entry);
	if (!isQuoted && (QUOTE.test(entry) || SINGLE_QUOTED.test(entry)))
		return 'has quotes, which only a text with a comma needs: straight double quotes (") around all of it';
	return undefined;
}
