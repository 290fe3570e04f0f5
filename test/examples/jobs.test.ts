import { DEFAULT_SETTINGS } from '../../examples/jobs/source/model';
import { filesIn, read } from '../support/sourceTexts';

/* The workflows of whole jobs: what every one of them must be like. */

interface WorkflowNode {
	name: string;
	type: string;
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string | null }>;
}

interface Workflow {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, Record<string, Array<Array<{ node: string }>>>>;
}

const readJob = (path: string) => JSON.parse(read(path)) as Workflow;

describe.each(filesIn('examples/jobs', '.json'))('%s', (path) => {
	const { nodes, connections } = readJob(path);
	const names = nodes.map(({ name }) => name);

	test('has one node of each name, and connects only those', () => {
		const connected = Object.entries(connections).flatMap(([from, byType]) => [
			from,
			...Object.values(byType).flatMap((outputs) => outputs.flat().map(({ node }) => node)),
		]);
		expect(new Set(names).size).toBe(names.length);
		expect(connected.filter((name) => !names.includes(name))).toEqual([]);
	});

	test('names only nodes that are there in its expressions and code', () => {
		const named = [...read(path).matchAll(/\$\('([^']+)'\)/g)].map(([, name]) => name);
		expect(named.filter((name) => !names.includes(name))).toEqual([]);
	});

	test('has no credential of the instance where it was made', () => {
		const ids = nodes.flatMap(({ credentials = {} }) => Object.values(credentials));
		expect(ids.filter(({ id }) => id !== null)).toEqual([]);
	});

	test('explains itself with sticky notes', () => {
		expect(nodes.filter(({ type }) => type.endsWith('.stickyNote')).length).toBeGreaterThan(0);
	});
});

/**
 * What a row is known by in each data table. A payment's reference isn't a key: two suppliers can
 * use the same one.
 */
const KEYS: Record<string, string[]> = {
	// The External ID that the example makes itself, and the docs ask to be unique.
	payments_waiting: ['externalId'],
};

interface DataTable {
	operation: string;
	dataTableId: { value: string };
	filters: { conditions: Array<{ keyName: string }> };
	limit?: number;
}

describe.each(filesIn('examples', '.json'))('lookups of %s', (path) => {
	const { nodes } = readJob(path);
	const tables = nodes
		.filter(({ type }) => /\.dataTable(Tool)?$/.test(type))
		.map(({ name, parameters }) => ({ name, ...(parameters as unknown as DataTable) }));

	test('an upsert matches the whole key of its table', () => {
		const saves = tables.filter(({ operation }) => operation === 'upsert');
		expect(
			saves.map(({ name, filters }) => [name, filters.conditions.map((one) => one.keyName)]),
		).toEqual(saves.map(({ name, dataTableId }) => [name, KEYS[dataTableId.value]]));
	});

	test('no lookup takes the first match of several', () => {
		expect(tables.filter(({ limit }) => limit !== undefined).map(({ name }) => name)).toEqual([]);
		const finds = [...read(path).matchAll(/\.find\(\(row\)/g)];
		expect(finds).toEqual([]);
	});
});

test.each(DEFAULT_SETTINGS)(
	'the docs say that %s %s is %s by default',
	(setting, currency, value) => {
		const row = read('docs/jobs/model.md')
			.split('\n')
			.find((line) => line.startsWith('|') && line.split('|')[1].includes(`\`${setting}\``));
		const [, , , byDefault] = row!.split('|');
		const isJpy = currency === 'JPY' && /up to|per day/.test(setting);
		expect(byDefault).toContain(`\`${isJpy ? value.slice(0, -2) : value}\``);
	},
);
