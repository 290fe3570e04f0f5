import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(__dirname, '..', '..');
const folder = join(root, '.github', 'workflows');

interface Workflow {
	permissions: Record<string, string>;
	jobs: Record<
		string,
		{
			'timeout-minutes'?: number;
			permissions?: Record<string, string>;
			steps: Array<{ uses?: string; run?: string }>;
		}
	>;
}

describe.each(readdirSync(folder))('.github/workflows/%s', (file) => {
	const text = readFileSync(join(folder, file), 'utf8');
	const workflow = parse(text) as Workflow;
	const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

	test('pins every action by its full commit, with the version beside it', () => {
		const used = text.split('\n').filter((line) => line.includes('uses:'));
		expect(used.length).toBeGreaterThan(0);
		expect(
			used.filter((line) => !/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line)),
		).toEqual([]);
	});

	test('may only read, and ends by itself', () => {
		expect(workflow.permissions).toEqual({ contents: 'read' });
		expect(
			Object.values(workflow.jobs).filter((job) => job['timeout-minutes'] === undefined),
		).toEqual([]);
	});

	test('runs only commands that are there', () => {
		const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
			scripts: Record<string, string>;
		};
		const commands = steps.flatMap(({ run }) => run ?? []);
		expect(
			commands
				.flatMap((command) => /^npm run ([\w:-]+)/.exec(command)?.[1] ?? [])
				.filter((name) => !(name in scripts)),
		).toEqual([]);
		expect(
			commands.filter((command) => command.startsWith('.') && !existsSync(join(root, command))),
		).toEqual([]);
	});
});

test('only publishing may sign, and it publishes with provenance', () => {
	const { jobs } = parse(readFileSync(join(folder, 'publish.yml'), 'utf8')) as Workflow;
	expect(jobs.npm.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
	expect(jobs.npm.steps.at(-1)!.run).toMatch(
		/^npm publish \.\/\.cache\/pack\/n8n-nodes-payments-\*\.tgz --provenance/,
	);
});
