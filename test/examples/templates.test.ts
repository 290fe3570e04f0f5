import type { INodeParameters } from 'n8n-workflow';
import { readRowsExample } from '../../demo/workflows';
import { filesIn, pages, read } from '../support/sourceTexts';

/*
 * What every template must be like, also those of subfolders. n8n's template library asks for a
 * title that begins with a verb, a description, and an overview note of at least 100 words with
 * "How it works" and "Set up". test/e2e/templates.test.ts runs them in n8n.
 */

interface TemplateNode {
	name: string;
	type: string;
	position: [number, number];
	parameters: INodeParameters;
	credentials?: object;
	webhookId?: string;
}

interface Template {
	name: string;
	description?: string;
	nodes: TemplateNode[];
	connections: Record<string, Record<string, Array<Array<{ node: string }> | null>>>;
	pinData?: unknown;
	settings: { timezone?: string; executionTimeout?: number };
}

const isNote = ({ type }: TemplateNode) => type.endsWith('.stickyNote');
const wordsOf = (text: string) => text.split(/\s+/).filter((word) => /\w/.test(word)).length;
const templates = filesIn('examples', '.json');
const docs = pages.map(read).join('\n');

describe.each(templates)('%s', (path) => {
	const { name, description, nodes, connections, pinData, settings } = JSON.parse(
		read(path),
	) as Template;
	const names = nodes.map((node) => node.name);
	const notes = nodes.filter(isNote);

	test('has a title that begins with a verb, and a description of one to three sentences', () => {
		expect(name).toMatch(/^(Sync: )?(create|do|follow|let|pay|record|save|send|tell)\b/i);
		expect(wordsOf(description ?? '')).toBeGreaterThanOrEqual(10);
		expect(wordsOf(description ?? '')).toBeLessThanOrEqual(60);
	});

	test('has an overview note of 100 to 200 words with How it works and Set up', () => {
		const [overview] = notes.map(({ parameters }) => parameters.content as string);
		expect(overview).toMatch(/^## .+\n+### How it works\n[^]+\n### Set up\n[^]+/);
		expect(wordsOf(overview)).toBeGreaterThanOrEqual(100);
		expect(wordsOf(overview)).toBeLessThanOrEqual(200);
	});

	test('has at most 12 nodes, which fit on one screen', () => {
		const [xs, ys] = [0, 1].map((axis) => nodes.map(({ position }) => position[axis]));
		expect(nodes.length - notes.length).toBeLessThanOrEqual(12);
		expect(Math.max(...xs) - Math.min(...xs)).toBeLessThanOrEqual(2400);
		expect(Math.max(...ys) - Math.min(...ys)).toBeLessThanOrEqual(1000);
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
			...Object.values(byType).flatMap((outputs) =>
				outputs.flatMap((inputs) => (inputs ?? []).map(({ node }) => node)),
			),
		]);
		const named = [...read(path).matchAll(/\$\('([^']+)'\)/g)].map(([, node]) => node);
		expect(new Set(names).size).toBe(names.length);
		expect([...connected, ...named].filter((node) => !names.includes(node))).toEqual([]);
	});

	test('names in bold only its nodes and what n8n shows', () => {
		const shown = [
			...['Respond', 'On Error', 'Settings', 'Record', 'Decline', 'Change', 'Other Events'],
			...[
				'Restrict Who Can Approve',
				'Created At',
				'Decimal Separator',
				'Dry Run',
				'Allowed Recipients',
				'Timeout Workflow',
				'Include Other Input Fields',
				'Input Binary Field',
				'Respond When',
				'Multiple Files',
				'Delimiter',
			],
			...['Max Amount', 'Max Amount per Transaction', 'Max Total per Execution'],
		];
		const text = notes.map(({ parameters }) => parameters.content as string).join('\n');
		const bold = [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, label]) => label);
		expect(bold.filter((label) => ![...names, ...shown].includes(label))).toEqual([]);
	});

	test('has no credential, also none without an ID, with which n8n executes nothing, and no data', () => {
		expect(nodes.filter(({ credentials }) => credentials)).toEqual([]);
		expect(pinData).toBeUndefined();
	});

	test('has no address, because the editor gives a new one only to nodes that have none', () => {
		expect(nodes.filter(({ webhookId }) => webhookId)).toEqual([]);
	});

	test("says which settings to select, because the editor imports none, and which trigger to execute, because it's one that waits otherwise", () => {
		const [overview] = notes.map(({ parameters }) => parameters.content as string);
		if (settings.timezone) expect(overview).toContain('time zone');
		if (settings.executionTimeout) expect(overview).toContain('**Timeout Workflow**');
		const triggers = nodes.filter(({ type }) => type.endsWith('Trigger'));
		if (triggers.length > 1) expect(overview).not.toMatch(/Execute the workflow(?! from \*\*)/);
	});

	test('says which credential to check, if it has a place for one', () => {
		const [overview] = notes.map(({ parameters }) => parameters.content as string);
		const needsOne = nodes.some(({ type }) => /payments|postgres|Slack|openAi/i.test(type));
		if (needsOne) expect(overview).toMatch(/heck which (credential|one) n8n has selected/);
	});

	test('records nothing when one executes it to look, but what somebody approves in it', () => {
		const senders = nodes.filter(({ type }) => type === 'n8n-nodes-payments.payments');
		const sending = senders.filter(({ parameters }) => {
			const { dryRun } = parameters.options as { dryRun?: boolean | string };
			return dryRun !== true && dryRun !== "={{ $execution.mode === 'test' }}";
		});
		const approved = nodes.some(({ name }) => name === 'Approve') ? ['Pay'] : [];
		expect(sending.map((node) => node.name)).toEqual(approved);
	});

	test('takes Created At from data: what is now would be another time when it is sent again', () => {
		const times = nodes
			.filter(({ type, parameters }) => {
				const isOwn = /^n8n-nodes-payments\.payments(Tool)?$/.test(type);
				return isOwn && parameters.specifyTransaction === 'fields';
			})
			.map(({ parameters }) => parameters.externalCreatedAt);
		expect(times.filter((time) => !/^=.*\$(json|\('|fromAI)/.test(time as string))).toEqual([]);
	});

	test('writes a row of a data table once, and changes only the outcome of what it sends', () => {
		const changes = nodes.filter(
			({ type, parameters }) =>
				/\.dataTable(Tool)?$/.test(type) &&
				['update', 'upsert'].includes(parameters.operation as string),
		);
		const written = changes.flatMap(({ parameters: { columns } }) =>
			Object.keys((columns as { value: object }).value),
		);
		expect(
			written.filter((column) => !['outcome', 'statusCode', 'message'].includes(column)),
		).toEqual([]);
	});

	test('has a picture in the docs, unless it stands in a folder of its own', () => {
		const name = path.replace(/^examples\/|\.json$/g, '');
		const picture = `(images/examples/${name}.png)`;
		if (!name.includes('/')) expect([picture, docs.includes(picture)]).toEqual([picture, true]);
	});
});

test.each(templates)('%s tells one story: the shop has the same ID and channels', (path) => {
	const ids = ['', '-eur-account', '-gbp-account', '-stripe'].map((end) => `harbour-bakery${end}`);
	const named = [...read(path).matchAll(/harbour-bakery(-[a-z-]+[a-z])?(?!\.example)/g)];
	expect(named.map(([id]) => id).filter((id) => !ids.includes(id))).toEqual([]);
});

const PAYING = ['examples/pay-a-sheet-after-approval.json', 'examples/recurring-payments.json'];

test.each(templates.filter((path) => !PAYING.includes(path)))(
	'%s says nothing of paying',
	(path) => {
		expect(read(path)).not.toMatch(/(?<![\w.-])(pay|pays|paid|paying|payees?|payers?)(?![\w-])/i);
	},
);

test("the demo's copy says nothing of Dry Run, which it doesn't have", () => {
	expect(JSON.stringify(readRowsExample())).not.toMatch(/dry ?run/i);
});
