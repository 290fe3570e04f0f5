import {
	commentsIn,
	filesIn,
	pages,
	read,
	shippedSources,
	textsIn,
	titlesIn,
} from '../support/sourceTexts';
import { offenders } from '../support/offenders';
import { findTerms, MESSAGE_TERMS, TERMS } from './terms';

/*
 * One term for each thing, in everything that people read: docs, parameters, messages, examples,
 * the sandbox, output of programs, and test titles.
 */

/** A page without its code: names in code are those of the service, of n8n, or of the system. */
const proseOf = (markdown: string) =>
	markdown
		.replace(/^```[\s\S]*?^```/gm, '')
		.replace(/`[^`\n]+`/g, '`code`')
		.replace(/\]\([^)]+\)/g, ']')
		.replace(/<[^>]+>/g, '');

/** The names of a workflow and its nodes, and the texts of its sticky notes. */
function textsOfExample(path: string): string[] {
	const { name, nodes } = JSON.parse(read(path)) as {
		name: string;
		nodes: Array<{ name: string; parameters: { content?: string } }>;
	};
	return [name, ...nodes.flatMap((node) => [node.name, node.parameters.content ?? ''])];
}

test('pages', () => {
	expect(offenders(pages, (page) => findTerms(proseOf(read(page))))).toEqual({});
});

/** Words of services, which are never shown. */
const READ_ONLY = /responseWords\.ts$/;
const shown = shippedSources.filter((path) => !READ_ONLY.test(path));
test('texts of what ships', () => {
	const terms = [...TERMS, ...MESSAGE_TERMS];
	const find = (path: string) => textsIn(path).flatMap(({ text }) => findTerms(text, terms));
	expect(offenders(shown, find)).toEqual({});
});

test('examples', () => {
	const find = (path: string) => textsOfExample(path).flatMap((text) => findTerms(text));
	expect(offenders(filesIn('examples', '.json'), find)).toEqual({});
});

/**
 * What a page of the sandbox shows: its markup without code, and the attributes that are read
 * aloud.
 */
const shownBy = (vue: string) =>
	vue
		.replace(/<script[\s\S]*?<\/script>/g, '')
		.replace(/<style[\s\S]*?<\/style>/g, '')
		.replace(/\s[@:v][\w:.-]*="[^"]*"/g, ' ')
		.replace(/\{\{[\s\S]*?\}\}/g, '…');

test('pages of the sandbox', () => {
	const paths = filesIn('sandbox/page', '.vue');
	expect(offenders(paths, (path) => findTerms(shownBy(read(path))))).toEqual({});
});

const programs = ['sandbox', 'check', 'demo', 'scripts'].flatMap((folder) =>
	['.ts', '.mjs'].flatMap((ending) => filesIn(folder, ending)),
);
const written = programs.filter((path) => !/generated|\.d\.ts$/.test(path));
test('output of programs', () => {
	const find = (path: string) => textsIn(path).flatMap(({ text }) => findTerms(text));
	expect(offenders(written, find)).toEqual({});
});

/**
 * In code, a step, a run, and a request in flight are what programmers call so, and the
 * specification has a page "Event kinds".
 */
const COMMENT_TERMS = TERMS.filter(
	({ use }) => !['node', 'execution', 'concurrent', 'rate limit'].includes(use),
);
const development = ['bench', 'test'].flatMap((folder) =>
	['.ts', '.mjs', '.js'].flatMap((ending) => filesIn(folder, ending)),
);
test('comments', () => {
	const find = (path: string) =>
		commentsIn(path)
			.map((comment) => comment.replace(/"?Event kinds/g, ''))
			.flatMap((comment) => findTerms(comment, COMMENT_TERMS));
	expect(offenders([...shippedSources, ...written, ...development], find)).toEqual({});
});

test('titles of tests', () => {
	const find = (path: string) => titlesIn(path).flatMap((title) => findTerms(title));
	expect(offenders(filesIn('test', '.test.ts'), find)).toEqual({});
});

test.each([
	['The workflow is activated.', 1],
	['Another kind of event', 1],
	['The host refused the connection', 0],
	['The service refused the transaction', 1],
	['Send it again', 1],
	['Each run is recorded', 1],
	['Run the workflow', 0],
	['Select Execute step', 0],
	['The next step', 1],
])('%s: %d', (text, count) => {
	expect(findTerms(text)).toHaveLength(count);
});
