import type { IDataObject } from 'n8n-workflow';
import type { N8nClient } from '../../host/n8n/client';

/** A row of a data table, with n8n's own columns. */
export type Row = IDataObject & { id: number };

/** n8n's limit for one page of rows. */
const PAGE = 100;

async function pathOfAll(n8n: N8nClient): Promise<string> {
	const project = await n8n.send<{ id: string }>('GET', '/projects/personal');
	return `/projects/${project.id}/data-tables`;
}

/**
 * Returns the address of a data table of the owner's project; undefined when there is none of this
 * name.
 */
async function pathOf(n8n: N8nClient, name: string): Promise<string | undefined> {
	const tables = await pathOfAll(n8n);
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const { data } = await n8n.send<{ data: Array<{ id: string; name: string }> }>(
		'GET',
		`${tables}?filter=${filter}`,
	);
	const found = data.find((table) => table.name === name);
	return found && `${tables}/${found.id}`;
}

/**
 * Returns all rows of a data table in the order of their creation; none when the table doesn't
 * exist.
 */
export async function readTable(n8n: N8nClient, name: string): Promise<Row[]> {
	const path = await pathOf(n8n, name);
	if (!path) return [];
	const rows: Row[] = [];
	for (;;) {
		const query = `skip=${rows.length}&take=${PAGE}&sortBy=${encodeURIComponent('id:asc')}`;
		const page = await n8n.send<{ data: Row[] }>('GET', `${path}/rows?${query}`);
		rows.push(...page.data);
		if (page.data.length < PAGE) return rows;
	}
}

/** Creates a data table with these types by column. */
export async function createTable(
	n8n: N8nClient,
	name: string,
	types: Record<string, string>,
): Promise<void> {
	const columns = Object.entries(types).map(([column, type]) => ({ name: column, type }));
	await n8n.send('POST', await pathOfAll(n8n), { name, columns });
}

/** Adds rows, as a user does in the table's view. */
export async function addRows(n8n: N8nClient, name: string, rows: IDataObject[]): Promise<void> {
	await n8n.send('POST', `${await pathOf(n8n, name)}/insert`, { data: rows, returnType: 'count' });
}

/** Deletes a data table, if it exists. */
export async function deleteTable(n8n: N8nClient, name: string): Promise<void> {
	const path = await pathOf(n8n, name);
	if (path) await n8n.send('DELETE', path);
}
