import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import type { StoredWorkflow } from '../../host/n8n/client';
import { paymentsApiData, readExample } from '../../host/n8n/credentials';
import { n8nInstallation } from '../../host/n8n/installation';
import { sharedN8n, useService } from './shared';
import { PAYMENT, TOOL } from './toolCalls';

/* The example mcp-server, called by the official MCP client, which n8n brings. */

interface McpClient {
	connect(transport: object): Promise<void>;
	listTools(): Promise<{
		tools: Array<{ name: string; description: string; inputSchema: { properties: object } }>;
	}>;
	callTool(call: {
		name: string;
		arguments: object;
	}): Promise<{ content: Array<{ type: string; text: string }> }>;
	close(): Promise<void>;
}
const sdk = createRequire(join(n8nInstallation().folder, 'package.json'));
const { Client } = sdk('@modelcontextprotocol/sdk/client/index.js') as {
	Client: new (info: { name: string; version: string }) => McpClient;
};
const { StreamableHTTPClientTransport } = sdk(
	'@modelcontextprotocol/sdk/client/streamableHttp.js',
) as {
	StreamableHTTPClientTransport: new (url: URL, options: { requestInit: RequestInit }) => object;
};

const TOKEN = 'only-mcp-clients-know';
const url = new URL('/mcp/payments', process.env.E2E_N8N_URL);

const n8n = sharedN8n();
const service = useService(n8n);
let workflow: StoredWorkflow;
let client: McpClient;

async function connect(token: string): Promise<McpClient> {
	const connected = new Client({ name: 'test', version: '1.0.0' });
	const headers = { authorization: `Bearer ${token}` };
	await connected.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
	return connected;
}

beforeAll(async () => {
	workflow = await n8n.importWorkflow(readExample('mcp-server'), [
		await n8n.createCredential('MCP clients', 'httpBearerAuth', { token: TOKEN }),
		await n8n.createCredential('Payments account', 'paymentsApi', {
			...paymentsApiData({ url: service.sandbox.url, ...service.client }),
			allowedRecipients: PAYMENT.recipient_account,
		}),
	]);
	await n8n.activate(workflow);
	client = await connect(TOKEN);
});
afterAll(async () => {
	await client?.close();
	if (workflow) await n8n.deactivate(workflow);
});

const pay = async (changes: Partial<typeof PAYMENT> = {}): Promise<IDataObject> => {
	const { content } = await client.callTool({ name: TOOL, arguments: { ...PAYMENT, ...changes } });
	const result = JSON.parse(content[0].text) as IDataObject | IDataObject[];
	return [result].flat()[0];
};
const recorded = async () =>
	(await service.sandbox.client.listTransactions()).items.map(({ seen, transaction }) => [
		transaction.externalId,
		transaction.amount,
		seen,
	]);

test('a client without the token gets nothing', async () => {
	await expect(connect('guessed')).rejects.toThrow(/Authorization data is wrong/);
});

test('lists the tool, with the fields that a client fills in', async () => {
	const { tools } = await client.listTools();
	expect(tools.map(({ name }) => name)).toEqual([TOOL]);
	expect(Object.keys(tools[0].inputSchema.properties).sort()).toEqual(Object.keys(PAYMENT).sort());
});

test('pays', async () => {
	expect(await pay()).toMatchObject({ outcome: 'created', externalId: PAYMENT.invoice });
	expect(await recorded()).toEqual([[PAYMENT.invoice, PAYMENT.amount, 1]]);
});

test('repeats a payment, and it is made once', async () => {
	expect(await pay()).toMatchObject({ outcome: 'duplicate' });
	expect(await recorded()).toEqual([[PAYMENT.invoice, PAYMENT.amount, 2]]);
});

test('beyond a limit of the credential, nothing is paid, and the client is told why', async () => {
	const { outcome, message } = await pay({ recipient_account: 'vac_x', invoice: 'INV-2' });
	expect([outcome, message]).toEqual(['invalid', expect.stringContaining("'Allowed Recipients'")]);
	expect(await recorded()).toHaveLength(1);
});
