import type { WebhookEvent } from '../sandbox/types';
import type { Outcome } from './workflows';

/** Lines of a table whose columns are as wide as their widest cell. */
function table(rows: string[][]): string {
	const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
	return rows
		.map((row) =>
			row
				.map((cell, column) => cell.padEnd(widths[column]))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}

/** What an event says of its payment: "CREATED", or the status that it moved to. */
const wordOf = ({ event, data }: WebhookEvent) =>
	event === 'PAYMENT.STATUS_UPDATED' ? String(data.status) : event.replace(/^PAYMENT\./, '');

const externalIdOf = ({ data }: WebhookEvent) =>
	(data.metadata as { externalId?: string } | undefined)?.externalId;

/** One line for each transaction: what was sent, and which events came back for it, in the order of their coming. */
export function describeOutcome({ sent, received }: Outcome): string {
	const lines = sent.map(({ externalId, amount, currency, paymentScheme, sender, recipient }) => [
		externalId,
		amount.padStart(8),
		currency,
		paymentScheme,
		`${sender.countryCode} to ${recipient.countryCode}`,
		received
			.filter((event) => externalIdOf(event) === externalId)
			.map(wordOf)
			.join(', '),
	]);
	return table([['Sent', '  Amount', '', 'Scheme', 'Way', 'Events that came back'], ...lines]);
}

/**
 * What differs between n8n's view and the service's own count, in sentences; empty when all is as it should be.
 * At least three transactions and six events, or the demo has shown too little.
 */
export function findDifferences({ sent, received, counts }: Outcome): string[] {
	const expect = (what: string, seen: number, counted: number, least: number) => [
		...(seen === counted ? [] : [`n8n saw ${seen} ${what}, the service counts ${counted}.`]),
		...(seen >= least ? [] : [`Only ${seen} ${what}, at least ${least} were to be seen.`]),
	];
	return [
		...expect('transactions', sent.length, counts.transactions.created, 3),
		...expect('events', received.length, counts.deliveries.delivered, 6),
		...expect(
			'different events',
			new Set(received.map(({ id }) => id)).size,
			counts.events.emitted,
			6,
		),
	];
}
