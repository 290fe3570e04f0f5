// Prints the Flesch reading ease of every page of the docs, and of the words on it. Fails when a page is hard to read.
// Source of the formula: R. Flesch, "A new readability yardstick", Journal of Applied Psychology 32 (1948); 60 is plain English.
// `node scripts/docs/readability.mjs`, with the names of files to measure only those.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { flesch } from 'flesch';
import { toString } from 'mdast-util-to-string';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { syllable } from 'syllable';
import { unified } from 'unified';

const MIN_MEDIAN = 60;
const MIN_PAGE = 50;
const MAX_SENTENCE_WORDS = 30;

const parser = unified().use(remarkParse).use(remarkGfm);
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
const words = new Intl.Segmenter('en', { granularity: 'word' });

/** Paragraphs and table cells. Headings and code blocks aren't prose. */
function blocksOf(node) {
	if (node.type === 'paragraph' || node.type === 'tableCell') return [node];
	return (node.children ?? []).flatMap(blocksOf);
}

/** Code, images, HTML, and bare URLs have no reading ease. */
function withoutCode(node) {
	if (['inlineCode', 'image', 'html'].includes(node.type)) return { type: 'text', value: '' };
	if (node.type === 'text')
		return { ...node, value: node.value.replace(/(?:https?:\/\/|npm run )\S+/g, '') };
	return node.children ? { ...node, children: node.children.map(withoutCode) } : node;
}

const wordsOf = (text) =>
	[...words.segment(text)]
		.filter(({ isWordLike, segment }) => isWordLike && /\p{L}/u.test(segment))
		.map(({ segment }) => segment);

/** Sentences of a page as lists of words. One or two words in a table cell are a label and no sentence. */
function sentencesOf(markdown) {
	return blocksOf(parser.parse(markdown))
		.flatMap((block) => [...sentences.segment(toString(withoutCode(block)).replace(/\s+/g, ' '))])
		.map(({ segment }) => wordsOf(segment))
		.filter((sentence) => sentence.length > 2);
}

/** Measures one page: its Flesch reading ease, its number of words, and its sentences that are too long. */
export function measure(markdown) {
	const all = sentencesOf(markdown);
	const allWords = all.flat();
	const ease = flesch({
		sentence: all.length,
		word: allWords.length,
		syllable: allWords.reduce((sum, word) => sum + Math.max(1, syllable(word)), 0),
	});
	const tooLong = all.filter((sentence) => sentence.length > MAX_SENTENCE_WORDS);
	return { ease, words: allWords.length, tooLong };
}

function median(values) {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function pages() {
	const folders = ['.', 'docs', 'sandbox', 'deploy/queue'].filter((folder) => existsSync(folder));
	return folders.flatMap((folder) =>
		readdirSync(folder)
			.filter((name) => name.endsWith('.md'))
			.map((name) => join(folder, name)),
	);
}

const files = process.argv.length > 2 ? process.argv.slice(2) : pages();
const results = files.map((file) => ({ file, ...measure(readFileSync(file, 'utf8')) }));
for (const { file, ease, words: count } of results)
	console.log(`${ease.toFixed(1).padStart(6)} ${String(count).padStart(6)} words  ${file}`);
const middle = median(results.map(({ ease }) => ease));
console.log(`${middle.toFixed(1).padStart(6)} median`);

const findings = results.flatMap(({ file, ease, tooLong }) => [
	...(ease < MIN_PAGE ? [`${file}: reading ease ${ease.toFixed(1)}, less than ${MIN_PAGE}`] : []),
	...tooLong.map((sentence) => `${file}: ${sentence.length} words: ${sentence.join(' ')}`),
]);
if (middle < MIN_MEDIAN) findings.push(`The median is less than ${MIN_MEDIAN}.`);
for (const finding of findings) console.error(finding);
process.exitCode = findings.length > 0 ? 1 : 0;
