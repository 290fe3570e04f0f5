import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';

const root = join(__dirname, '..', '..');
const folder = join(root, '.github', 'workflows');

interface Workflow {
	permissions: Record<string, string>;
	jobs: Record<
		string,
		{
			'timeout-minutes'?: number;
			permissions?: Record<string, string>;
			needs?: string;
			environment?: string;
			steps: Array<{ uses?: string; run?: string }>;
		}
	>;
}

describe.each(readdirSync(folder))('.github/workflows/%s', (file) => {
	const text = readFileSync(join(folder, file), 'utf8');
	const workflow = load(text) as Workflow;
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

describe('publish.yml', () => {
	const { jobs } = load(readFileSync(join(folder, 'publish.yml'), 'utf8')) as Workflow;

	test('tests and builds where nothing can be published', () => {
		expect(Object.keys(jobs)).toEqual(['tarball', 'npm']);
		expect(jobs.tarball.permissions).toBeUndefined();
		expect(jobs.tarball.steps.flatMap(({ run }) => run ?? [])).toEqual(
			expect.arrayContaining(['npm test', 'npm run check:package']),
		);
	});

	test('publishes the tarball with provenance after an approval, and runs nothing else there', () => {
		const { needs, environment, permissions, steps } = jobs.npm;
		expect({ needs, environment }).toEqual({ needs: 'tarball', environment: 'npm' });
		expect(permissions).toEqual({ 'id-token': 'write' });
		expect(steps.map(({ uses, run }) => run ?? uses?.replace(/@.*/, ''))).toEqual([
			'actions/setup-node',
			'actions/download-artifact',
			'npm publish ./n8n-nodes-payments-*.tgz --ignore-scripts --provenance --access public',
		]);
	});
});

test('Dependabot watches the actions, the packages, and the images of the deployment', () => {
	const { updates } = load(readFileSync(join(root, '.github', 'dependabot.yml'), 'utf8')) as {
		updates: Array<{ 'package-ecosystem': string; directory?: string }>;
	};
	const watched = updates.map((update) => [update['package-ecosystem'], update.directory]);
	expect(watched).toEqual(
		expect.arrayContaining([
			['github-actions', '/'],
			['docker', '/deploy/queue'],
			['docker-compose', '/deploy/queue'],
		]),
	);
});
