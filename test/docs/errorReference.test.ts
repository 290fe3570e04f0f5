import { read, shippedSources, textsIn, type SourceText } from '../support/sourceTexts';

/* docs/error-reference.md has every message that a user can see, and no other. */

/** Properties of nodes and credentials that the editor shows, and the fixes below a message. */
const NO_MESSAGES = [
	'action',
	'activationHint',
	'activationMessage',
	'default',
	'description',
	'displayName',
	'eventTriggerDescription',
	'fix',
	'header',
	'hint',
	'name',
	'placeholder',
	'propertyHint',
	'relationHint',
	'searchHint',
	'fix',
	'subtitle',
];

/** Files whose texts are no messages, or whose messages have a page of their own. */
const OTHER_TEXTS =
	/toolDescription\.ts$|editor\/fields\.ts$|eventTypes\.ts$|responses\.ts$|PaymentsTrigger\.node\.ts$|decimals\.ts$|generated\.ts$|responseWords\.ts$|Transaction\.ts$/;

/** Texts that follow a message, and say how to fix it. They are the second column of the tables. */
const FIXES =
	/^(?:Add|Check|Compare|Correct|Enter|Give|If|Multiply|Open|Round|Run|Select|Set|Switch|This item|Use|Write) |^The United Kingdom is|^\. The service said|^'Max |^(?:query|fragment) \(|^something that|^…, or remove/;

/** A message that joins those of two attempts. */
const MERGED = /^…\. Retry: …$/;

/** Templates that hold other messages together. */
const FRAMES =
	/^(?:Item )?…(?:, …)?: …$|^The option '…': …$|^… Nothing was sent\.$|^ Columns that match no field: …$|^ The item has: …$|^These exist: |^items … and …(?: more)?$|^… · …recorded before: …$|^new: …, $|^………\. Nothing was sent\.$|^…External ID …, Event ID …|^(?:…)? and … more$|^… \(status …: …\)$/;

/** A row of the tables: the text of the message, with … in place of what differs. */
const rows = [...read('docs/error-reference.md').matchAll(/^\| `([^`]+)` \|/gm)].map(
	([, message]) => message,
);

const piecesOf = (row: string) =>
	row
		.split('…')
		.map((piece) => piece.trim())
		.filter((piece) => piece.length > 3);

const isMessage = ({ text, property = '' }: SourceText) =>
	(text.split(' ').length > 3 || MERGED.test(text)) &&
	!NO_MESSAGES.includes(property) &&
	// Keyed by HTTP status: the fix for that status.
	!/^\d{3}$/.test(property) &&
	!FIXES.test(text.trim()) &&
	!FRAMES.test(text) &&
	// Code that runs as an expression.
	!text.includes('=>');

const messages = shippedSources
	.filter((path) => !OTHER_TEXTS.test(path))
	.flatMap((path) => textsIn(path).filter(isMessage))
	.map(({ text }) => text);

const covers = (row: string, message: string) => {
	const pieces = piecesOf(row);
	return pieces.length > 0 && pieces.every((piece) => message.includes(piece));
};

test('there are many', () => {
	expect(rows.length).toBeGreaterThan(100);
	expect(messages.length).toBeGreaterThan(80);
});

test.each(rows)('a node says: %s', (row) => {
	expect(messages.some((message) => covers(row, message))).toBe(true);
});

test.each(messages)('the reference has: %s', (message) => {
	expect(rows.some((row) => covers(row, message))).toBe(true);
});
