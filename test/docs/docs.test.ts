import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesIn, pages, read, root } from '../support/sourceTexts';

/*
 * What the docs name exists: links, commands, files, and images. What the README says of versions
 * is so, and it leads to every page.
 */

const REPOSITORY = (
	JSON.parse(read('package.json')) as { repository: { url: string } }
).repository.url.replace(/\.git$/, '');

/** The anchors that a page has on GitHub. */
const anchorsOf = (page: string) =>
	[...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
		heading
			.toLowerCase()
			.replace(/[^\w\- ]/g, '')
			.replaceAll(' ', '-'),
	);

/** Reports whether the target of a link in a page exists; addresses of others aren't asked. */
function leadsSomewhere(page: string, target: string): boolean {
	if (target.startsWith(`${REPOSITORY}/blob/main/`))
		return leadsSomewhere('README.md', target.slice(`${REPOSITORY}/blob/main/`.length));
	if (/^[a-z]+:/.test(target)) return true;
	const [path, anchor] = target.split('#');
	const file = path === '' ? page : join(dirname(page), path);
	if (!existsSync(join(root, file))) return false;
	return anchor === undefined || anchorsOf(file).includes(anchor);
}

describe.each(pages)('%s', (page) => {
	const text = read(page);

	test('has only links that lead somewhere', () => {
		const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
		expect(links.filter((target) => !leadsSomewhere(page, target))).toEqual([]);
	});

	test('names only commands that package.json has', () => {
		const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
		const named = [...text.matchAll(/npm run ([a-z][\w:-]*)/g)].map(([, name]) => name);
		expect(named.filter((name) => !(name in scripts))).toEqual([]);
	});

	test('shows only images that exist', () => {
		const images = [...text.matchAll(/(?:src|srcset)="(?!https?:)([^"]+)"/g)].map(
			([, image]) => image,
		);
		const missing = images.filter((image) => !existsSync(join(root, dirname(page), image)));
		expect(missing).toEqual([]);
	});

	test('names only files of this repository that are there', () => {
		const paths = [
			...text.matchAll(
				/`((?:credentials|nodes|sandbox|demo|docs|examples|test|scripts|deploy|bench)\/[\w./-]*)`/g,
			),
		].map(([, path]) => path);
		expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
	});
});

describe('what ships', () => {
	const shipped = ['nodes', 'credentials']
		.flatMap((folder) => [...filesIn(folder, '.ts'), ...filesIn(folder, '.json')])
		.concat('package.json', 'README.md');

	test('leads to pages of this repository that are there, and of its GitHub project', () => {
		const pagesOnGitHub = ['', '.git', '#readme', '/issues'].map((end) => REPOSITORY + end);
		const ours = shipped
			.flatMap((file) => [...read(file).matchAll(/https:\/\/github\.com\/[^\s)"'`]+/g)])
			.map(([link]) => link)
			.filter((link) => link.startsWith(REPOSITORY) && !pagesOnGitHub.includes(link));
		expect(ours.length).toBeGreaterThan(0);
		const isThere = (link: string) =>
			link.startsWith(`${REPOSITORY}/blob/main/`) && leadsSomewhere('README.md', link);
		expect(ours.filter((link) => !isThere(link))).toEqual([]);
	});

	test('names no mailbox, but the author, without whom nothing is published', () => {
		const named = [...shipped, 'SECURITY.md', 'CONTRIBUTING.md'].flatMap((file) =>
			[...read(file).matchAll(/[\w.-]+@[\w-]+\.[a-z]{2,}\b|mailto:/gi)].map(([mailbox]) => mailbox),
		);
		const { author } = JSON.parse(read('package.json')) as { author: { email: string } };
		expect(named).toEqual([author.email]);
	});
});

test('every workflow of examples is in docs/examples.md', () => {
	const files = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.json'));
	const page = read('docs/examples.md');
	expect(files.filter((file) => !page.includes(`../examples/${file}`))).toEqual([]);
});

test('every option of the sandbox that the docs name is one of its command', () => {
	const usage = read('sandbox/cli.ts');
	const named = [...read('sandbox/README.md').matchAll(/`(--[a-z]+)/g)].map(([, option]) => option);
	expect(named.length).toBeGreaterThan(0);
	expect(named.filter((option) => !usage.includes(option))).toEqual([]);
});

test('README: the version of n8n is the one that the tests install', () => {
	const { dependencies } = JSON.parse(read('host/installations/current/package.json')) as {
		dependencies: { n8n: string };
	};
	expect(read('README.md')).toContain(`Tested with n8n ${dependencies.n8n}.`);
});

test('wherever the version of the package stands, it is the same', () => {
	const { version } = JSON.parse(read('package.json')) as { version: string };
	const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' });
	const named = files
		.trim()
		.split('\n')
		.filter((file) => file !== 'test/host/tools.test.ts' && existsSync(join(root, file)))
		.flatMap((file) =>
			[
				...read(file).matchAll(
					/\bn8n-[a-z-]*payments[a-z-]*(?:[-/:@]|",\s*"version": ")(\d+\.\d+\.\d+)/g,
				),
			]
				.map(([, one]) => `${file}: ${one}`)
				// Of what is never packed.
				.filter((one) => !one.endsWith(': 0.0.0')),
		);
	expect(named.filter((one) => one.startsWith('README.md'))).toHaveLength(1);
	expect(named.filter((one) => !one.endsWith(`: ${version}`))).toEqual([]);
});

test('README: CONTRIBUTING says where each promise is tested', () => {
	const { 1: promises } = read('README.md').split('## What the nodes promise');
	const { 1: places } = read('CONTRIBUTING.md').split('## Where each promise is tested');
	const promised = [...promises.matchAll(/^\| \*\*(.+?)\.\*\*/gm)].map(([, promise]) => promise);
	const tested = [...places.matchAll(/^\| (.+?) \| `test/gm)].map(([, promise]) => promise);
	expect(promised.length).toBeGreaterThan(0);
	expect(tested).toEqual(promised);
});

test('every page of docs/ is in its index, to which the README leads', () => {
	const linked = (page: string) =>
		[...read(page).matchAll(/\]\((?:https:[^)]*\/blob\/main\/)?([a-zA-Z./-]+\.md)/g)].map(
			([, path]) => join(dirname(page), path),
		);
	const index = 'docs/README.md';
	expect(linked('README.md')).toContain(index);
	const reached = new Set([index, ...linked(index)]);
	expect(
		filesIn('docs', '.md').filter((page) => !reached.has(page) && !isForContributors(page)),
	).toEqual([]);
});

const isForContributors = (page: string) => read('CONTRIBUTING.md').includes(page);
