import type { ErrorBody } from './responseBody';

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

/** Fields of the request body other than the Event ID (service interface, section 2.1). */
const OTHER_FIELDS = [
	'externalId',
	'externalStatus',
	'externalEntity',
	'paymentChannel',
	'reference',
	'amount',
	'currency',
	'paymentScheme',
	'countryCode',
	'sender',
	'recipient',
	'externalCreatedAt',
	'receivedAt',
].map(lettersOf);
/** What services call an event that they have recorded before. */
const RECORDED_BEFORE = ['event', 'duplicate', 'conflict', 'exist', 'already', 'idempotency'];

/** Where the first of the words stands in the text; infinite when none does. */
const firstPosition = (text: string, words: readonly string[]): number =>
	Math.min(...words.map((word) => text.indexOf(word)).map((at) => (at < 0 ? Infinity : at)));

/** What a text is about: the field that it names first is its subject. */
function subjectOf(text: string): 'event' | 'otherField' | undefined {
	const letters = lettersOf(text);
	const event = firstPosition(letters, ['event']);
	const otherField = firstPosition(letters, OTHER_FIELDS);
	if (event === Infinity && otherField === Infinity) return undefined;
	// Stryker disable next-line EqualityOperator: no word of one list begins where a word of the other does, so both are never equal here
	return event < otherField ? 'event' : 'otherField';
}

/**
 * Says whether a 409 response is about the event itself, so that the service has recorded it before. The service interface leaves open what the
 * body of a 409 contains, so the most exact part that says something decides: the fields of the warnings, the error code, then the message. A body that
 * names no field, or no body, is about the event: that the resource exists is what 409 means for a create request (public practice, Answers of
 * the API).
 */
export function isEventConflict({ errorCode = '', message, warnings }: ErrorBody): boolean {
	const subjects = warnings.map(({ position }) => subjectOf(position));
	if (subjects.includes('event')) return true;
	if (subjects.includes('otherField')) return false;

	// Stryker disable next-line StringLiteral: any text that names no field does
	const subject = subjectOf(errorCode) ?? subjectOf(message ?? '');
	if (subject !== undefined) return subject === 'event';

	// A code such as ACCOUNT_BLOCKED names no field of the request, and says nothing about an event recorded before.
	const code = lettersOf(errorCode);
	return code === '' || RECORDED_BEFORE.some((word) => code.includes(word));
}
