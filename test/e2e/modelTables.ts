import { COLUMNS, FILES_COLUMNS, SETTINGS_COLUMNS } from '../../examples/jobs/source/model';
import type { Credential, N8nClient } from '../../host/n8n/client';
import { addRows, createTable, deleteTable } from '../../host/n8n/dataTables';
import { SEALS, type TextRow } from '../support/builders/paymentRows';

/* The data tables that all jobs share: docs/jobs/model.md. */

export const ZONE = 'America/New_York';

const SETTINGS: Array<[setting: string, currency: string, value: string]> = [
	['stopped', '', 'no'],
	['time zone', '', ZONE],
	['events due within hours', '', '24'],
	['alert to', '', 'payments@example.com'],
	['alert from', '', 'n8n@example.com'],
];

export async function deleteModelTables(n8n: N8nClient): Promise<void> {
	for (const name of [...Object.keys(COLUMNS), 'files', 'settings']) await deleteTable(n8n, name);
}

/** Creates the tables anew, with these settings besides those that every job reads. */
export async function createModelTables(
	n8n: N8nClient,
	settings: typeof SETTINGS = [],
): Promise<void> {
	await deleteModelTables(n8n);
	for (const [name, columns] of Object.entries(COLUMNS))
		await createTable(n8n, name, [...columns, 'seal']);
	await createTable(n8n, 'files', [...FILES_COLUMNS]);
	await createTable(n8n, 'settings', [...SETTINGS_COLUMNS]);
	const rows = [...SETTINGS, ...settings].map(([setting, currency, value]) => ({
		...{ setting, currency, value, note: '' },
	}));
	await addRows(n8n, 'settings', rows);
}

export async function saveRows(n8n: N8nClient, table: string, rows: TextRow[]): Promise<void> {
	for (let i = 0; i < rows.length; i += 250) await addRows(n8n, table, rows.slice(i, i + 250));
}

/** The credential that seals the rows. */
export const createSeals = async (n8n: N8nClient): Promise<Credential> =>
	await n8n.createCredential('Payment seals', 'crypto', { hmacSecret: SEALS });
