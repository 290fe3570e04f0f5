import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import axios from 'axios';
import type { IDataObject, INode, INodeTypeDescription, INodeTypes } from 'n8n-workflow';

import { n8nInstallation } from '../../host/n8n/installation';
import type { Credential, N8nClient, StoredWorkflow, WorkflowJson } from '../../host/n8n/client';
import { createPaymentsWebhookApi, paymentsApiData } from '../../host/n8n/credentials';
import { addRows, createTable, deleteTable, readTable } from '../support/dataTables';
import { waitUntil } from '../../host/waitUntil';
import { readRequest, startHttpServer, type HttpServer } from '../support/servers/httpServer';
import { startChatModel, type ChatModel } from '../support/servers/chatModel';
import { startMailServer, type MailServer } from '../support/servers/mailServer';
import { FIXTURES, prompts, readPromptWorkflow, replaceOutside, type Prompt } from './prompts';
import { promptsOfDocs } from './promptsOfDocs';
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
	columns?: { schema?: Array<{ id: string; type: string }> };
}

const FORM_TRIGGER = 'n8n-nodes-base.formTrigger';
const TOOL = 'n8n-nodes-payments.paymentsTool';
/** n8n is on this machine, and 400 is a result, too. */
const ANY_STATUS = { proxy: false as const, validateStatus: null };
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

const examples = ['examples', 'examples/payouts'].flatMap((folder) =>
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

describe('twenty sentences, each with the workflow that an author wrote at the first try', () => {
	const all = [...prompts, ...promptsOfDocs];
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
		expect(new Set(all.map(({ sentence }) => sentence)).size).toBe(20);
		standIn = await startHttpServer(async (request, response) => {
			const { method, body } = await readRequest(request);
			if (method === 'POST') messages.push((JSON.parse(body) as { text: string }).text);
			const isFile = method === 'GET';
			response.end(isFile ? readFileSync(join(FIXTURES, basename(request.url!))) : '{}');
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
		const types: Record<string, string> = {};
		for (const column of rows.flatMap(Object.keys)) types[column] = 'string';
		for (const { parameters } of workflow.nodes) {
			const { dataTableId, columns } = parameters as DataTableParameters;
			if (dataTableId?.value !== name) continue;
			for (const { id, type } of columns?.schema ?? []) types[id] = type;
		}
		await deleteTable(n8n, name);
		tables.push(name);
		await createTable(n8n, name, types);
		if (rows.length > 0) await addRows(n8n, name, rows);
	}

	/** Delivers the events one after the other, and waits for the execution of each. */
	async function deliver(workflow: WorkflowJson, own: Credential[], events: Prompt['events'] = []) {
		const { client } = service.sandbox;
		const { production } = await n8n.webhookUrls(workflow, workflow.nodes[0].name);
		const endpoint = await client.createEndpoint({ url: production, events: ['*'] });
		const secret = await createPaymentsWebhookApi(n8n, endpoint.secret);
		const stored = await n8n.importWorkflow(workflow, [...own, secret]);
		await n8n.activate(stored);
		for (const [index, event] of events.entries()) {
			await client.sendTestEvent(endpoint.id, event);
			await n8n.ended(stored, index + 1);
		}
		await n8n.deactivate(stored);
		return stored;
	}

	/** Calls the webhook, the chat, or the form of the workflow, and returns what comes back. */
	async function call(workflow: WorkflowJson, own: Credential[], request: object) {
		const stored = await n8n.importWorkflow(workflow, own);
		await n8n.activate(stored);
		const [trigger] = workflow.nodes;
		let response: unknown;
		if (trigger.type === FORM_TRIGGER) response = await fillIn(stored, trigger, request);
		else {
			const { production } = await n8n.webhookUrls(workflow, trigger.name);
			const url = 'chatInput' in request ? production.replace(/(\/chat)?$/, '/chat') : production;
			const headers = { [SHOP_SECRET.name]: SHOP_SECRET.value };
			response = (await axios.post<unknown>(url, request, { ...ANY_STATUS, headers })).data;
		}
		await n8n.ended(stored, 1);
		await n8n.deactivate(stored);
		return { stored, response };
	}

	/** Submits the form as its page does, and returns its last page. */
	async function fillIn(stored: StoredWorkflow, { parameters }: INode, values: object) {
		const form = new FormData();
		for (const [index, value] of Object.values(values).entries())
			form.append(`field-${index}`, String(value));
		const { path } = parameters.options as { path: string };
		const { data } = await axios.post<{ formWaitingUrl: string }>(`${n8n.url}/form/${path}`, form, {
			proxy: false,
		});
		await waitUntil('the last page is there', async () => {
			const { results } = await n8n.executions(stored);
			return results.at(0)?.status === 'waiting';
		});
		const page = await axios.get<string>(data.formWaitingUrl, { proxy: false });
		await axios.post(data.formWaitingUrl, {}, { proxy: false });
		return page.data;
	}

	test.each(all.map((prompt) => [[prompt.sentence, prompt.when].join(' '), prompt] as const))(
		'%s',
		async (
			_,
			{ file, tables: rowsBefore = {}, events, request, calls, limits, faults, ...rest },
		) => {
			const written = readPromptWorkflow(file);
			expect(validate(written)).toEqual([]);

			const workflow = replaceOutside(written, standIn.url);
			const { runs = events || request ? [] : [workflow.nodes[0].name], result } = rest;
			for (const [name, rows] of Object.entries(rowsBefore)) await setUpTable(workflow, name, rows);
			await service.sandbox.client.setFaults(faults ?? {});
			const own = [...credentials];
			if (limits) {
				const data = {
					...paymentsApiData({ url: service.sandbox.url, ...service.client }),
					...limits,
				};
				own.unshift(await n8n.createCredential('Payments API with limits', 'paymentsApi', data));
			}
			const tool =
				workflow.nodes.find(({ type }) => type === TOOL)?.name.replaceAll(' ', '_') ?? '';
			model = await startChatModel([
				...(calls ?? []).map((args) => ({ tool, args })),
				{ say: 'Done.' },
			]);
			if (calls) {
				const openAi = { apiKey: 'not-a-key', url: model.url };
				own.push(await n8n.createCredential('OpenAI account', 'openAiApi', openAi));
			}

			let stored: StoredWorkflow;
			if (events) stored = await deliver(workflow, own, events);
			else if (request) {
				const called = await call(workflow, own, request);
				stored = called.stored;
				expect(called).toMatchObject({ response: result.response });
			} else stored = await n8n.importWorkflow(workflow, own);
			for (const trigger of runs) await n8n.run(stored, trigger);

			const started = (events?.length ?? (request ? 1 : 0)) + runs.length;
			const { results } = await n8n.ended(stored, started);
			const { status: expected = 'success' } = result;
			expect(results.map(({ status }) => status)).toEqual(results.map(() => expected));
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
			if (result.pauseAfter === undefined) return;
			const { items } = await service.sandbox.client.listRequests({ limit: 1000 });
			const times = items
				.filter(({ path }) => path.endsWith('/transactions'))
				.map(({ at }) => at)
				.reverse();
			const pause = times[result.pauseAfter] - times[result.pauseAfter - 1];
			expect(pause).toBeGreaterThan(700);
		},
		120_000,
	);
});
