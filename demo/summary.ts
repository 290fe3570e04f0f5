import type { WebhookEvent } from '../sandbox/types';
import type { Outcome } from './workflows';

/** Lays out a table for a terminal, without lines. */
export function plainTable(rows: string[][]): string {
	const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
	const lines = rows.map((row) =>
		row.map((cell, column) => cell.padEnd(widths[column])).join('  '),
	);
	return lines.map((line) => line.trimEnd()).join('\n');
}

/** Returns what an event says about its payment: "CREATED", or its new status. */
const wordOf = ({ event, data }: WebhookEvent) =>
	event === 'PAYMENT.STATUS_UPDATED' ? String(data.status) : event.replace(/^PAYMENT\./, '');

const externalIdOf = ({ data }: WebhookEvent) =>
	(data.metadata as { externalId?: string } | undefined)?.externalId;

/**
 * Lists the transactions that were sent, each with the events that came back for it, in the order
 * of arrival.
 */
export function describeOutcome({ sent, received }: Outcome): string {
	const rows = sent.map(({ externalId, amount, currency, row }) => {
		const events = received.filter((event) => externalIdOf(event) === externalId);
		const way = `${row.senderCountry} to ${row.recipientCountry}`;
		return [externalId, amount, currency, row.scheme, way, events.map(wordOf).join(', ')];
	});
	const head = ['Sent', 'Amount', '', 'Scheme', 'Way', 'Events that came back'];
	return plainTable([head, ...rows]);
}

/**
 * Compares what n8n has seen with what the service has counted. At least three transactions and six
 * events are expected.
 *
 * @returns a sentence for each difference
 */
export function findDifferences({ sent, received, counts }: Outcome): string[] {
	const expect = (what: string, seen: number, counted: number, least: number) => [
		...(seen === counted ? [] : [`n8n saw ${seen} ${what}, the service counts ${counted}.`]),
		...(seen >= least ? [] : [`Only ${seen} ${what}, expected at least ${least}.`]),
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
