import { join } from 'node:path';
import { readRequest, startHttpServer, type HttpServer } from './httpServer';

type Cell = string | number;

export interface GoogleSheets extends HttpServer {
	/** The rows of the sheet, its header first. */
	rows: Cell[][];
	/** Called before the next change is written, once. */
	beforeWriting?: () => void;
	/** For an n8n whose nodes are to find it. */
	env: NodeJS.ProcessEnv;
}

/** The letters of a column, and the number of a row, from 1. */
const ADDRESS = /!([A-Z])(\d+)$/;

/** What the Google Sheets node asks of Google's API, for one sheet that's called Sheet1. */
export async function startGoogleSheets(): Promise<GoogleSheets> {
	const sheets = {} as GoogleSheets;
	const write = (range: string, [[value]]: Cell[][]) => {
		const [, column, row] = ADDRESS.exec(range)!;
		sheets.rows[Number(row) - 1][column.charCodeAt(0) - 65] = value;
	};
	const answer = (url: string, body: string): object => {
		const path = decodeURIComponent(url);
		if (path.startsWith('/token')) return { access_token: 'of-nobody', expires_in: 3600 };
		if (path.includes('values:batchUpdate')) {
			sheets.beforeWriting?.();
			sheets.beforeWriting = undefined;
			const { data } = JSON.parse(body) as { data: Array<{ range: string; values: Cell[][] }> };
			for (const { range, values } of data) write(range, values);
			return {};
		}
		if (path.includes('/values/')) return { values: sheets.rows };
		if (path.includes('/drive/')) return { files: [{ id: 'a-document', name: 'Movements' }] };
		return { sheets: [{ properties: { sheetId: 0, title: 'Sheet1', sheetType: 'GRID' } }] };
	};
	const server = await startHttpServer(async (incoming, response) => {
		const { url, body } = await readRequest(incoming);
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify(answer(url, body)));
	});
	const NODE_OPTIONS = `--require ${join(__dirname, 'toGoogleStub.js')}`;
	const env = { NODE_OPTIONS, GOOGLE_STUB: server.url };
	return Object.assign(sheets, server, { rows: [], env });
}
