import { filesIn, pages, read, shippedSources, textsIn } from './sourceTexts';
import { findTerms, MESSAGE_TERMS, TERMS } from './terminology';

/* One term for each thing, in everything that a user reads: docs, parameters, messages, and examples. */

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

test.each(pages)('%s uses the terms of the glossary', (page) => {
	expect(findTerms(proseOf(read(page)))).toEqual([]);
});

test.each(shippedSources)('%s: its texts use the terms of the glossary', (path) => {
	const terms = [...TERMS, ...MESSAGE_TERMS];
	expect(textsIn(path).flatMap(({ text }) => findTerms(text, terms))).toEqual([]);
});

test.each(filesIn('examples', '.json'))('%s uses the terms of the glossary', (path) => {
	expect(textsOfExample(path).flatMap((text) => findTerms(text))).toEqual([]);
});

test.each([
	['The workflow is activated.', 1],
	['In n8n 1, activate the workflow.', 0],
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
