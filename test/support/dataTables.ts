import type { IDataObject } from 'n8n-workflow';
import type { N8nClient } from '../../host/n8n/client';

/** A data table of the owner's project, with columns of text. */
export class DataTable {
	private constructor(
		private readonly n8n: N8nClient,
		private readonly path: string,
	) {}

	static async create(n8n: N8nClient, name: string, columns: string[]): Promise<DataTable> {
		const tables = await tablesOf(n8n);
		const { id } = await n8n.send<{ id: string }>('POST', tables, {
			name,
			columns: columns.map((column) => ({ name: column, type: 'string' })),
		});
		return new DataTable(n8n, `${tables}/${id}`);
	}

	/** One that a workflow has created. */
	static async find(n8n: N8nClient, name: string): Promise<DataTable> {
		const tables = await tablesOf(n8n);
		const filter = encodeURIComponent(JSON.stringify({ name }));
		const { data } = await n8n.send<{ data: Array<{ id: string }> }>(
			'GET',
			`${tables}?filter=${filter}`,
		);
		return new DataTable(n8n, `${tables}/${data[0].id}`);
	}

	/** Its rows, in the order in which they were inserted. */
	async rows<Row extends IDataObject = IDataObject>(): Promise<Row[]> {
		const { data } = await this.n8n.send<{ data: Row[] }>('GET', `${this.path}/rows?take=250`);
		return data.sort((one, other) => Number(one.id) - Number(other.id));
	}

	async insert(data: IDataObject[]): Promise<void> {
		await this.n8n.send('POST', `${this.path}/insert`, { data, returnType: 'count' });
	}

	/** Changes the rows that have this value in a column. */
	async update(column: string, value: string, data: IDataObject): Promise<void> {
		const filter = { type: 'and', filters: [{ columnName: column, condition: 'eq', value }] };
		await this.n8n.send('PATCH', `${this.path}/rows`, { filter, data });
	}

	/** Deletes the rows that have this value in a column. */
	async delete(column: string, value: string): Promise<void> {
		const filter = { type: 'and', filters: [{ columnName: column, condition: 'eq', value }] };
		const query = encodeURIComponent(JSON.stringify(filter));
		await this.n8n.send('DELETE', `${this.path}/rows?filter=${query}`);
	}

	async drop(): Promise<void> {
		await this.n8n.send('DELETE', this.path);
	}
}

async function tablesOf(n8n: N8nClient): Promise<string> {
	const { id } = await n8n.send<{ id: string }>('GET', '/projects/personal');
	return `/projects/${id}/data-tables`;
}
