import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INodeTypeDescription, INodeTypes } from 'n8n-workflow';
import type { WorkflowJson } from '../../host/n8n/client';
import { n8nInstallation } from '../../host/n8n/installation';
import { filesIn, read } from '../support/sourceTexts';
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

const modules = join(n8nInstallation().folder, 'node_modules');
/** Loads code of the installed n8n. */
const fromN8n = <Code extends object>(path: string) =>
	jest.requireActual<Code>(join(modules, path));

const definitions = mkdtempSync(join(tmpdir(), 'node-definitions-'));
afterAll(() => rmSync(definitions, { recursive: true }));

let nodeTypes: INodeTypeDescription[];
let validate: (workflow: unknown) => string[];

beforeAll(async () => {
	nodeTypes = await sharedN8n().nodeTypes();
	const own = nodeTypes.filter(({ name }) => name.startsWith('n8n-nodes-payments.'));
	const nodesJsonPath = join(definitions, 'nodes.json');
	writeFileSync(nodesJsonPath, JSON.stringify(own));
	const { generateNodeDefinitions } = fromN8n<{
		generateNodeDefinitions: (options: object) => Promise<void>;
	}>('@n8n/workflow-sdk/dist/generate-types/generate-node-defs-cli.js');
	await generateNodeDefinitions({ nodesJsonPath, outputDir: definitions });

	const sdk = fromN8n<WorkflowSdk>('@n8n/workflow-sdk/dist/index.js');
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
		const options = { nodeTypesProvider, validateSchema: true };
		const { errors, warnings } = sdk.validateWorkflow(workflow, options);
		return [...errors, ...warnings].map(
			({ code, message, nodeName = '' }) => `${nodeName}: ${code}: ${message}`,
		);
	};
});

test('what the service requires is required in the type definition', () => {
	const { synthesizeNodeTypeDef } = fromN8n<{
		synthesizeNodeTypeDef: (description: INodeTypeDescription) => string;
	}>('n8n/dist/modules/mcp-registry/synthesize-type-def.js');
	const payments = nodeTypes.find(({ name }) => name === 'n8n-nodes-payments.payments')!;
	const definition = synthesizeNodeTypeDef(payments);
	expect([...definition.matchAll(/^ {4}(\w+): /gm)].map(([, name]) => name)).toEqual([
		...['externalId', 'externalCreatedAt', 'reference', 'amount', 'currency', 'paymentScheme'],
		...['senderExternalEntityId', 'senderExternalPaymentChannelId', 'senderCountryCode'],
		...['recipientExternalEntityId', 'recipientExternalPaymentChannelId', 'recipientCountryCode'],
	]);
});

const examples = filesIn('examples', '.json');
const example = (path: string) => JSON.parse(read(path)) as WorkflowJson;

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
	expect(validate(example(path))).toEqual(FINDINGS[path] ?? []);
});

test('n8n names what is wrong', () => {
	const workflow = example('examples/rows-to-transactions.json');
	const node = workflow.nodes.find(({ type }) => type === 'n8n-nodes-payments.payments')!;
	node.parameters.specifyTransaction = 'everything';
	expect(validate(workflow).join('\n')).toMatch(/specifyTransaction/);
});

test("the examples use the versions of n8n's nodes that n8n gives to new ones", () => {
	const newest = (type: string) => {
		const descriptions = nodeTypes.filter(({ name }) => name === type);
		const versions = descriptions.flatMap(({ version }) => version);
		return descriptions[0].defaultVersion ?? Math.max(...versions);
	};
	const old = examples
		.flatMap((path) => example(path).nodes.map((node) => ({ path, ...node })))
		.filter(({ type, typeVersion }) => typeVersion !== newest(type));
	expect(old.map(({ path, name, typeVersion }) => [path, name, typeVersion])).toEqual([]);
});
