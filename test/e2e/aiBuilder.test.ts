import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import type { IDataObject, INodeTypeDescription, INodeTypes } from 'n8n-workflow';

import { n8nInstallation } from '../../host/n8n/installation';
import type { Credential, N8nClient, StoredWorkflow, WorkflowJson } from '../../host/n8n/client';
import { createPaymentsWebhookApi } from '../../host/n8n/credentials';
import { addRows, createTable, deleteTable, readTable } from '../../host/n8n/dataTables';
import { readRequest, startHttpServer, type HttpServer } from '../support/servers/httpServer';
import { startChatModel, type ChatModel } from '../support/servers/chatModel';
import { startMailServer, type MailServer } from '../support/servers/mailServer';
import { FIXTURES, prompts, readPromptWorkflow, replaceOutside, type Prompt } from './prompts';
import { sharedN8n, useService } from './shared';

/*
 * What n8n's AI builder and coding agents know of the nodes: the type definitions that n8n's own
 * code generates from their descriptions, and how it validates workflows with them.
 */

interface Issue {
	code: string;
	message: string;
	nodeName?: string;
}

interface WorkflowSdk {
	setSchemaBaseDirs(folders: string[]): void;
	validateWorkflow(
		workflow: unknown,
		options: { nodeTypesProvider: INodeTypes; validateSchema: boolean },
	): { errors: Issue[]; warnings: Issue[] };
}

interface DataTableParameters {
	dataTableId?: { value: string };
	columns?: { schema?: Array<{ id: string }> };
}

const SHOP_SECRET = { name: 'x-shop-secret', value: 'only-the-shop-knows' };

/** Loads code of the installed n8n. */
const fromN8n = (path: string): unknown =>
	jest.requireActual(join(n8nInstallation().folder, 'node_modules', path));

const root = join(__dirname, '..', '..');
const definitions = mkdtempSync(join(tmpdir(), 'node-definitions-'));
afterAll(() => rmSync(definitions, { recursive: true }));

let nodeTypes: INodeTypeDescription[];
let validate: (workflow: unknown) => string[];

beforeAll(async () => {
	nodeTypes = await sharedN8n().nodeTypes();
	const own = nodeTypes.filter(({ name }) => name.startsWith('n8n-nodes-payments.'));
	const nodesJsonPath = join(definitions, 'nodes.json');
	writeFileSync(nodesJsonPath, JSON.stringify(own));
	const { generateNodeDefinitions } = fromN8n(
		'@n8n/workflow-sdk/dist/generate-types/generate-node-defs-cli.js',
	) as { generateNodeDefinitions: (options: object) => Promise<void> };
	await generateNodeDefinitions({ nodesJsonPath, outputDir: definitions });

	const sdk = fromN8n('@n8n/workflow-sdk/dist/index.js') as WorkflowSdk;
	const modules = join(n8nInstallation().folder, 'node_modules');
	sdk.setSchemaBaseDirs([
		definitions,
		join(modules, 'n8n-nodes-base/dist/node-definitions'),
		join(modules, '@n8n/n8n-nodes-langchain/dist/node-definitions'),
	]);
	const nodeTypesProvider = {
		getByNameAndVersion: (name: string, version?: number) => {
			const named = nodeTypes.filter((one) => one.name === name);
			const exact = named.find((one) => [one.version].flat().includes(version ?? NaN));
			return { description: exact ?? named.at(-1) };
		},
	} as INodeTypes;
	validate = (workflow) => {
		const { errors, warnings } = sdk.validateWorkflow(workflow, {
			nodeTypesProvider,
			validateSchema: true,
		});
		return [...errors, ...warnings].map(
			({ code, message, nodeName = '' }) => `${nodeName}: ${code}: ${message}`,
		);
	};
}, 120_000);

function typeDefinitionOf(nodeType: string): string {
	const { synthesizeNodeTypeDef } = fromN8n(
		'n8n/dist/modules/mcp-registry/synthesize-type-def.js',
	) as { synthesizeNodeTypeDef: (description: INodeTypeDescription) => string };
	const description = nodeTypes.find(({ name }) => name === nodeType)!;
	return synthesizeNodeTypeDef(description);
}

test('what the service requires is required in the type definition', () => {
	const definition = typeDefinitionOf('n8n-nodes-payments.payments');
	const required = [...definition.matchAll(/^ {4}(\w+): /gm)].map(([, name]) => name);
	expect(required).toEqual([
		'amount',
		'currency',
		'recipientExternalEntityId',
		'recipientExternalPaymentChannelId',
		'recipientCountryCode',
		'reference',
		'externalId',
		'senderExternalEntityId',
		'senderExternalPaymentChannelId',
		'senderCountryCode',
		'paymentScheme',
	]);
});

const examples = ['examples', 'examples/jobs'].flatMap((folder) =>
	readdirSync(join(root, folder))
		.filter((name) => name.endsWith('.json'))
		.map((name) => `${folder}/${name}`),
);

test.each(examples)('n8n finds nothing against %s', (path) => {
	const workflow = JSON.parse(readFileSync(join(root, path), 'utf8')) as unknown;
	expect(validate(workflow)).toEqual([]);
});

test('n8n names what is missing or wrong', () => {
	const path = join(root, 'examples/rows-to-transactions.json');
	const workflow = JSON.parse(readFileSync(path, 'utf8')) as {
		nodes: Array<{ type: string; parameters: Record<string, unknown> }>;
	};
	const node = workflow.nodes.find(({ type }) => type === 'n8n-nodes-payments.payments')!;
	delete node.parameters.amount;
	node.parameters.specifyTransaction = 'everything';
	expect(validate(workflow).join('\n')).toMatch(/specifyTransaction/);
});

describe('ten sentences, each with the workflow that an author wrote from the definitions', () => {
	const n8n: N8nClient = sharedN8n();
	const service = useService(n8n);
	const messages: string[] = [];
	const mails: string[] = [];
	let standIn: HttpServer;
	let mailServer: MailServer;
	let credentials: Credential[];
	let tables: string[] = [];
	let model: ChatModel | undefined;

	beforeAll(async () => {
		expect(prompts).toHaveLength(10);
		standIn = await startHttpServer(async (request, response) => {
			const { method, body } = await readRequest(request);
			if (method === 'POST') messages.push((JSON.parse(body) as { text: string }).text);
			response.end(method === 'POST' ? '{}' : readFileSync(join(FIXTURES, 'payouts.csv')));
		});
		mailServer = await startMailServer(({ text }) => mails.push(text));
		const smtp = {
			host: '127.0.0.1',
			port: mailServer.port,
			secure: false,
			disableStartTls: true,
		};
		credentials = [
			service.credential,
			await n8n.createCredential('SMTP account', 'smtp', smtp),
			await n8n.createCredential('Shop secret header', 'httpHeaderAuth', SHOP_SECRET),
		];
	});
	afterAll(async () => {
		await standIn.stop();
		await mailServer.stop();
	});
	beforeEach(async () => {
		await service.sandbox.client.reset();
		messages.length = 0;
		mails.length = 0;
	});
	afterEach(async () => {
		await model?.stop();
		for (const name of tables) await deleteTable(n8n, name);
		tables = [];
	});

	/** Creates a table with the columns that the workflow writes and those of the rows. */
	async function setUpTable(workflow: WorkflowJson, name: string, rows: IDataObject[]) {
		const written = workflow.nodes.flatMap(({ parameters }) => {
			const { dataTableId, columns } = parameters as DataTableParameters;
			return dataTableId?.value === name ? (columns?.schema ?? []).map(({ id }) => id) : [];
		});
		await deleteTable(n8n, name);
		tables.push(name);
		await createTable(n8n, name, [...new Set([...written, ...rows.flatMap(Object.keys)])]);
		if (rows.length > 0) await addRows(n8n, name, rows);
	}

	/** Delivers the events one after the other, and waits for the execution of each. */
	async function deliver(workflow: WorkflowJson, trigger: string, events: Prompt['events'] = []) {
		const { client } = service.sandbox;
		const { production } = await n8n.webhookUrls(workflow, trigger);
		const endpoint = await client.createEndpoint({ url: production, events: ['*'] });
		const secret = await createPaymentsWebhookApi(n8n, endpoint.secret);
		const stored = await n8n.importWorkflow(workflow, [...credentials, secret]);
		await n8n.activate(stored);
		for (const [index, event] of events.entries()) {
			await client.sendTestEvent(endpoint.id, event);
			await n8n.ended(stored, index + 1);
		}
		await n8n.deactivate(stored);
		return stored;
	}

	/** Calls the webhook or the chat of the workflow, and returns the response. */
	async function call(workflow: WorkflowJson, trigger: string, request: IDataObject) {
		const stored = await n8n.importWorkflow(workflow, credentials);
		await n8n.activate(stored);
		const { production } = await n8n.webhookUrls(workflow, trigger);
		const url = 'chatInput' in request ? production.replace(/(\/chat)?$/, '/chat') : production;
		const headers = { [SHOP_SECRET.name]: SHOP_SECRET.value };
		const { data } = await axios.post<unknown>(url, request, { proxy: false, headers });
		await n8n.ended(stored, 1);
		await n8n.deactivate(stored);
		return { stored, response: data };
	}

	test.each(prompts.map((prompt) => [prompt.sentence, prompt] as const))(
		'%s',
		async (_, { file, tables: rowsBefore = {}, events, request, calls, responses, result }) => {
			const written = readPromptWorkflow(file);
			expect(validate(written)).toEqual([]);

			const workflow = replaceOutside(written, standIn.url);
			const [{ name: trigger }] = workflow.nodes;
			for (const [name, rows] of Object.entries(rowsBefore)) await setUpTable(workflow, name, rows);
			if (responses) await service.sandbox.client.setFaults({ next: responses });
			const tool = 'Pay_Supplier_Invoice';
			model = await startChatModel([
				...(calls ?? []).map((args) => ({ tool, args })),
				{ say: 'Done.' },
			]);
			if (calls) {
				const openAi = { apiKey: 'not-a-key', url: model.url };
				credentials.push(await n8n.createCredential('OpenAI account', 'openAiApi', openAi));
			}

			let stored: StoredWorkflow;
			if (events) stored = await deliver(workflow, trigger, events);
			else if (request) {
				const called = await call(workflow, trigger, request);
				stored = called.stored;
				expect(called.response).toMatchObject(result.response!);
			} else {
				stored = await n8n.importWorkflow(workflow, credentials);
				await n8n.run(stored, trigger);
			}

			const { results } = await n8n.ended(stored, events?.length ?? 1);
			expect(results.map(({ status }) => status)).toEqual(results.map(() => 'success'));
			for (const [name, rows] of Object.entries(result.rows ?? {}))
				expect(await readTable(n8n, name)).toMatchObject(rows);
			expect(messages).toEqual(result.messages ?? []);
			expect(mails).toEqual(result.mails ?? []);
			const told = model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
			expect(
				told.flatMap(({ content }) =>
					(JSON.parse(content!) as IDataObject[]).map(({ outcome }) => outcome),
				),
			).toEqual(result.outcomes ?? []);
			const { transactions } = await service.sandbox.client.getCounts();
			expect(transactions.created).toBe(result.recorded ?? 0);
		},
		120_000,
	);
});
