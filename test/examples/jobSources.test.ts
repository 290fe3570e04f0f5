import { basename } from 'node:path';
import { JOBS, toJson } from '../../examples/jobs/source';
import { codeOf } from '../../examples/jobs/source/workflow';
import { filesIn, read } from '../support/sourceTexts';

/* The workflows that are written in examples/jobs/source. */

const MAX_NODES = 25;
const MAX_LINES = 25;
const MAX_WIDTH = 110;

interface WorkflowNode {
	name: string;
	type: string;
	parameters: { jsCode?: string };
}

describe.each(JOBS.map((job) => [job.file, job] as const))('%s', (file, job) => {
	const json = read(`examples/jobs/${file}.json`);
	const nodes = (JSON.parse(json) as { nodes: WorkflowNode[] }).nodes;

	test('is what its source makes (npm run jobs)', () => {
		expect(json).toBe(toJson(job));
	});

	test(`has at most ${MAX_NODES} nodes`, () => {
		const count = nodes.filter(({ type }) => !type.endsWith('.stickyNote')).length;
		expect(count).toBeLessThanOrEqual(MAX_NODES);
	});
});

const CODE = filesIn('examples/jobs/source/code', '.js');
const PARTS = filesIn('examples/jobs/source/parts', '.js');

/** Their workflows have 25 nodes, so that there's no room for a second one. */
const TOO_WIDE = ['pain001', 'reviewPage'].map((name) => `examples/jobs/source/code/${name}.js`);

test.each(CODE)(`%s says what it decides, in at most ${MAX_LINES} lines`, (path) => {
	const lines = read(path).trimEnd().split('\n');
	expect(lines[0]).toMatch(/^\/\/ \S/);
	expect(lines.length).toBeLessThanOrEqual(MAX_LINES);
});

test(`a line of code has at most ${MAX_WIDTH} characters, as a screen shows`, () => {
	const isWide = (path: string) =>
		read(path)
			.split('\n')
			.some((line) => line.length > MAX_WIDTH);
	expect([...CODE, ...PARTS].filter(isWide)).toEqual(TOO_WIDE);
});

test('no file of code is left over', () => {
	const used = JOBS.flatMap((job) => job.lines.flat()).map(({ parameters }) => parameters.jsCode);
	expect(CODE.filter((path) => !used.includes(codeOf(basename(path, '.js'))))).toEqual([]);
	const isUsed = (part: string) => used.some((text) => String(text).includes(read(part).trimEnd()));
	expect(PARTS.filter((part) => !isUsed(part))).toEqual([]);
});
