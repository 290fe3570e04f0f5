import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';

import { PaymentsApi } from '../../credentials/PaymentsApi.credentials';
import { PaymentsWebhookApi } from '../../credentials/PaymentsWebhookApi.credentials';
import { Payments } from '../../nodes/Payments/Payments.node';
import { PaymentsTrigger } from '../../nodes/PaymentsTrigger/PaymentsTrigger.node';
import { filesIn, pages, read, root } from './sourceTexts';

/* What the docs name exists: commands, files, images, options, and messages. remark checks the links. */

describe.each(pages)('%s', (page) => {
	const text = read(page);

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

/** First cells of the rows of the table that follows a heading, split where several names share a row. */
function namesInTable(page: string, heading: string): string[] {
	const section = read(page)
		.split(new RegExp(`^#+ ${heading}$`, 'm'))[1]
		.split(/^#/m)[0];
	const rows = section
		.split('\n')
		.filter((line) => line.startsWith('|'))
		.slice(2);
	return rows.map((row) => row.split('|')[1].trim());
}

const shownNames = (properties: INodeProperties[]): string[] =>
	properties.flatMap(({ displayName, options = [] }) => [
		displayName,
		...shownNames(options.filter((one): one is INodeProperties => 'type' in one)),
	]);

test.each([
	['docs/action.md', 'Options', shownNames(new Payments().description.properties)],
	['docs/credentials.md', 'Payments API', shownNames(new PaymentsApi().properties)],
	['docs/trigger.md', 'Settings', shownNames(new PaymentsTrigger().description.properties)],
])('%s: what stands under "%s" is what the user sees', (page, heading, shown) => {
	const names = namesInTable(page, heading).flatMap((cell) =>
		cell.replace(/^Options → /, '').split(', '),
	);
	expect(names.length).toBeGreaterThan(4);
	expect(names.filter((name) => !shown.includes(name))).toEqual([]);
});

test('every option of the nodes has its line in the docs', () => {
	const optionsOf = (properties: INodeProperties[]) =>
		shownNames(properties.filter(({ name }) => name === 'options')).slice(1);
	const missing = (page: string, options: string[]) =>
		options.filter((option) => !read(page).includes(option));
	expect(missing('docs/action.md', optionsOf(new Payments().description.properties))).toEqual([]);
	expect(
		missing('docs/trigger.md', optionsOf(new PaymentsTrigger().description.properties)),
	).toEqual([]);
	expect(
		missing(
			'docs/trigger.md',
			shownNames(new PaymentsWebhookApi().properties).filter((name) => /Secret/.test(name)),
		),
	).toEqual([]);
});

test('every example has its line in docs/examples.md', () => {
	const missing = readdirSync(join(root, 'examples')).filter(
		(file) => !read('docs/examples.md').includes(`../examples/${file}`),
	);
	expect(missing).toEqual([]);
});

test('every option of the sandbox that the docs name is one of its command', () => {
	const usage = read('sandbox/cli/options.ts');
	const named = [...read('docs/sandbox.md').matchAll(/`(--[a-z]+)/g)].map(([, option]) => option);
	expect(named.length).toBeGreaterThan(4);
	expect(named.filter((option) => !usage.includes(option))).toEqual([]);
});

describe('every message in docs/troubleshooting.md is one that the nodes say', () => {
	const source = [...filesIn('nodes', '.ts'), ...filesIn('credentials', '.ts')]
		.map(read)
		.join('\n')
		.replaceAll('\\', '');
	const messages = [...read('docs/troubleshooting.md').matchAll(/^\| `([^`]+)` \|/gm)].map(
		([, message]) => message,
	);
	test('there are some', () => expect(messages.length).toBeGreaterThan(30));
	test.each(messages)('%s', (message) => {
		const said = message
			.split('…')
			.map((piece) => piece.trim())
			.filter((piece) => piece.length > 4);
		expect(said.length).toBeGreaterThan(0);
		expect(said.filter((piece) => !source.includes(piece))).toEqual([]);
	});
});
