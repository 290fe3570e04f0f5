import { dirname, join } from 'node:path';
import { filesIn, read } from '../support/sourceTexts';

/* What the README says of versions is so, and it leads to every page. */

test('README: the version of n8n is the one that the tests install', () => {
	const { dependencies } = JSON.parse(read('host/installations/current/package.json')) as {
		dependencies: { n8n: string };
	};
	expect(read('README.md')).toContain(`Tested with n8n ${dependencies.n8n}.`);
});

test('README: the tarball has the version of the package', () => {
	const { version } = JSON.parse(read('package.json')) as { version: string };
	const named = [...read('README.md').matchAll(/n8n-nodes-payments-([\d.]+)\.tgz/g)];
	expect(new Set(named.map(([, one]) => one))).toEqual(new Set([version]));
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
