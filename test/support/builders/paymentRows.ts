import { createHash, createHmac } from 'node:crypto';

import { COLUMNS, type SealedTable } from '../../../examples/jobs/source/model';

/* Rows of the data tables that all jobs share, as the jobs write them (docs/jobs/model.md). */

export type TextRow = Record<string, string>;

/** The secret of the credential *Payment seals* in tests. */
export const SEALS = 'seals-of-a-test';

const listOf = (values: unknown[]) => JSON.stringify(values);

export const sealOf = (table: SealedTable, row: object, secret = SEALS): string =>
	createHmac('sha256', secret)
		.update(listOf(COLUMNS[table].map((column) => (row as Partial<TextRow>)[column] ?? '')))
		.digest('hex');

/** A whole row with its seal. */
export function sealed(table: SealedTable, values: TextRow): TextRow {
	const empty = Object.fromEntries(COLUMNS[table].map((column) => [column, '']));
	const row = { ...empty, ...values };
	return { ...row, seal: sealOf(table, row) };
}

/** `<invoice>.<code>`: see docs/jobs/model.md. */
export function externalIdOf(row: TextRow): string {
	const { supplier, account, invoice, amount, currency } = row;
	const text = listOf([supplier, account, invoice, amount, currency]);
	return `${invoice}.${createHash('sha256').update(text).digest('hex').slice(0, 10)}`;
}

/** A payment that the service has accepted, unless `values` say otherwise. */
export function paymentRow(values: TextRow): TextRow {
	const row = {
		...{ invoice: 'INV-1', supplier: 'Harbour Bakery', account: 'DK5000400440116243' },
		...{ country: 'DK', amount: '100.00', currency: 'EUR', method: 'SCT', job: 'payout run' },
		...{ decision: 'approved', result: 'accepted' },
		...{ firstSentAt: '2026-11-10T09:00:00.000Z', sentAt: '2026-11-10T09:00:00.000Z' },
		...{ acceptedAt: '2026-11-10T09:00:01.000Z' },
		...values,
	};
	return sealed('payments', { externalId: externalIdOf(row), ...row });
}
