import { dirname, join } from 'node:path';
import { meaningOfCodes } from '../../nodes/Payments/sending/response/codes';
import { readErrorBody } from '../../nodes/Payments/sending/response/errorBody';
import { statusRow } from '../../nodes/shared/statuses';
import { findProbeProblem } from '../../nodes/Payments/editor/probeResponse';
import { filesIn, pages, read } from '../support/sourceTexts';

/* What the docs say of statuses, versions, and numbers is what the code does. */

const numbersIn = (text: string) =>
	[...text.matchAll(/\b\d{3}\b/g)].map(([status]) => Number(status));

const rowOf = (page: string, start: string) =>
	read(page)
		.split('\n')
		.find((line) => line.startsWith(`| ${start}`))!;

const ALL_5XX = Array.from({ length: 100 }, (_, index) => 500 + index);

test('outcomes: the table of statuses', () => {
	const all = Array.from({ length: 400 }, (_, index) => 200 + index);
	const named = (start: string) => numbersIn(rowOf('docs/outcomes.md', start).split(' | ')[0]);
	expect(named('429')).toEqual([429]);
	expect(all.filter((status) => statusRow(status).isRetried)).toEqual([429, 503]);
	const rejected = [...named('400, 402'), ...named('401'), ...named('403, 404'), ...named('429')];
	expect(rejected.sort()).toEqual(all.filter((status) => statusRow(status).outcome === 'rejected'));
});

test.each([
	{ start: '403, 405', passes: true },
	{ start: '401', passes: false },
	{ start: '404, 410', passes: false },
	{ start: '407', passes: false },
	{ start: '408, 425', passes: false },
])('credentials: the credential test and $start', ({ start, passes }) => {
	const [statuses] = rowOf('docs/credentials.md', start).split(' | ');
	for (const statusCode of numbersIn(statuses.split(' except ')[0])) {
		const problem = findProbeProblem('https://api.example.com', { statusCode, headers: {} });
		expect([statusCode, problem === undefined]).toEqual([statusCode, passes]);
	}
});

test('credentials: every 5xx fails the credential test, except the one that is named', () => {
	const [statuses] = rowOf('docs/credentials.md', '408, 425').split(' | ');
	const passes = (statusCode: number) =>
		findProbeProblem('https://api.example.com', { statusCode, headers: {} }) === undefined;
	expect(ALL_5XX.filter(passes)).toEqual(numbersIn(statuses.split(' except ')[1]));
});

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

test('every page of docs/ can be reached from the README', () => {
	const linked = (page: string) =>
		[...read(page).matchAll(/\]\((?:https:[^)]*\/blob\/main\/)?([a-z/-]+\.md)/g)].map(([, path]) =>
			join(dirname(page), path),
		);
	const reached = new Set(linked('README.md'));
	expect(
		filesIn('docs', '.md').filter((page) => !reached.has(page) && !isForContributors(page)),
	).toEqual([]);
	expect(pages).toContain('README.md');
});

const isForContributors = (page: string) => read('CONTRIBUTING.md').includes(page);

test('the service interface: each error body of the checklist means to the node what it says', () => {
	const [, json] = /## 11[\s\S]*?```json\n([\s\S]*?)```/.exec(read('docs/interface.md'))!;
	const meanings = (JSON.parse(json) as unknown[]).map((body) =>
		[409, 409, 422].map((status) => meaningOfCodes(status, {}, readErrorBody(body, status), '')),
	);
	expect(meanings.map((statuses) => statuses[0])).toEqual([
		'recorded',
		'inProgress',
		'otherContent',
	]);
});
