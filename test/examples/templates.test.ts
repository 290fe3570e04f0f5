import { basename } from 'node:path';
import { filesIn, read } from '../support/sourceTexts';

/* What every template must be like. test/e2e/templates.test.ts runs them in n8n. */

interface TemplateNode {
	name: string;
	type: string;
	position: [number, number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string | null }>;
}

interface Template {
	nodes: TemplateNode[];
	connections: Record<string, Record<string, Array<Array<{ node: string }>>>>;
	pinData?: unknown;
}

const isNote = ({ type }: TemplateNode) => type.endsWith('.stickyNote');
const templates = filesIn('examples', '.json');

describe.each(templates)('%s', (path) => {
	const { nodes, connections, pinData } = JSON.parse(read(path)) as Template;
	const names = nodes.map(({ name }) => name);

	test('has at most 12 nodes, which fit on one screen, and a note on what to change', () => {
		const [xs, ys] = [0, 1].map((axis) => nodes.map(({ position }) => position[axis]));
		expect(nodes.filter((node) => !isNote(node)).length).toBeLessThanOrEqual(12);
		expect(Math.max(...xs) - Math.min(...xs)).toBeLessThanOrEqual(2400);
		expect(Math.max(...ys) - Math.min(...ys)).toBeLessThanOrEqual(1000);
		const notes = nodes.filter(isNote).map(({ parameters }) => parameters.content);
		expect(notes.join('\n')).toContain('**Change');
	});

	test('has at most one Code node, of at most 15 lines', () => {
		const codes = nodes.filter(({ type }) => type.endsWith('.code'));
		expect(codes.length).toBeLessThanOrEqual(1);
		for (const { parameters } of codes) {
			const lines = (parameters.jsCode as string).split('\n');
			expect(lines.length).toBeLessThanOrEqual(15);
			expect(lines.filter((line) => line.length > 105)).toEqual([]);
		}
	});

	test('has one node of each name, and connects and names only those', () => {
		const connected = Object.entries(connections).flatMap(([from, byType]) => [
			from,
			...Object.values(byType).flatMap((outputs) => outputs.flat().map(({ node }) => node)),
		]);
		const named = [...read(path).matchAll(/\$\('([^']+)'\)/g)].map(([, node]) => node);
		expect(new Set(names).size).toBe(names.length);
		expect([...connected, ...named].filter((node) => !names.includes(node))).toEqual([]);
	});

	test('has no credential and no data of the instance where it was made', () => {
		const credentials = nodes.flatMap(({ credentials = {} }) => Object.values(credentials));
		expect(credentials.filter(({ id }) => id !== null)).toEqual([]);
		expect(pinData).toBeUndefined();
	});

	test('writes a row of a data table once, and never changes it', () => {
		const changes = nodes.filter(
			({ type, parameters }) =>
				/\.dataTable(Tool)?$/.test(type) &&
				['update', 'upsert'].includes(parameters.operation as string),
		);
		expect(changes).toEqual([]);
	});

	test('has a picture in docs/examples.md', () =>
		expect(read('docs/examples.md')).toContain(`(images/examples/${basename(path, '.json')}.png)`));
});
