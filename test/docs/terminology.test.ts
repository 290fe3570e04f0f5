import {
	commentsIn,
	filesIn,
	pages,
	read,
	shippedSources,
	textsIn,
	titlesIn,
} from '../support/sourceTexts';
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

test.each(pages)('%s uses one term for each thing', (page) => {
	expect(findTerms(proseOf(read(page)))).toEqual([]);
});

/** Words of services, which are never shown. */
const READ_ONLY = /responseWords\.ts$/;
const shown = shippedSources.filter((path) => !READ_ONLY.test(path));
test.each(shown)('%s: its texts use one term for each thing', (path) => {
	const terms = [...TERMS, ...MESSAGE_TERMS];
	expect(textsIn(path).flatMap(({ text }) => findTerms(text, terms))).toEqual([]);
});

test.each(filesIn('examples', '.json'))('%s uses one term for each thing', (path) => {
	expect(textsOfExample(path).flatMap((text) => findTerms(text))).toEqual([]);
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

const sandboxPages = filesIn('sandbox/page', '.vue');
test.each(sandboxPages)('%s uses one term for each thing', (path) => {
	expect(findTerms(shownBy(read(path)))).toEqual([]);
});

const programs = ['sandbox', 'check', 'demo', 'scripts'].flatMap((folder) =>
	['.ts', '.mjs'].flatMap((ending) => filesIn(folder, ending)),
);
const written = programs.filter((path) => !/generated|\.d\.ts$/.test(path));
test.each(written)('%s: its texts and its output use one term for each thing', (path) => {
	expect(textsIn(path).flatMap(({ text }) => findTerms(text))).toEqual([]);
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
const commented = [...shippedSources, ...written, ...development];
test.each(commented)('%s: its comments use one term for each thing', (path) => {
	const comments = commentsIn(path).map((comment) => comment.replace(/"?Event kinds/g, ''));
	expect(comments.flatMap((comment) => findTerms(comment, COMMENT_TERMS))).toEqual([]);
});

const testFiles = filesIn('test', '.test.ts');
test.each(testFiles)('%s: its titles use one term for each thing', (path) => {
	expect(titlesIn(path).flatMap((title) => findTerms(title))).toEqual([]);
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
