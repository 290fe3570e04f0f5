import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INodeTypeDescription, INodeTypes } from 'n8n-workflow';

import { n8nInstallation } from '../../host/n8n/installation';
import { sharedN8n } from './shared';

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
});

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
		'externalCreatedAt',
		'senderExternalEntityId',
		'senderExternalPaymentChannelId',
		'senderCountryCode',
		'paymentScheme',
	]);
});

const examples = readdirSync(join(root, 'examples'))
	.filter((name) => name.endsWith('.json'))
	.map((name) => `examples/${name}`);

/**
 * n8n's list of Stripe's events has none of refunds, and n8n refuses an array with others. An
 * expression that gives the array runs, and the builder's check doesn't evaluate it.
 */
const FINDINGS: Record<string, unknown> = {
	'examples/stripe-to-transactions.json': [
		expect.stringMatching(/^Stripe Trigger: .*"parameters.events".*Expected array, but got string/),
	],
};

test.each(examples)('n8n finds nothing against %s', (path) => {
	const workflow = JSON.parse(readFileSync(join(root, path), 'utf8')) as unknown;
	expect(validate(workflow)).toEqual(FINDINGS[path] ?? []);
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
