import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';

import { PaymentsApi } from '../../credentials/PaymentsApi.credentials';
import { PaymentsWebhookApi } from '../../credentials/PaymentsWebhookApi.credentials';
import { Payments } from '../../nodes/Payments/Payments.node';
import { PaymentsTrigger } from '../../nodes/PaymentsTrigger/PaymentsTrigger.node';
import { pages, read, root } from '../support/sourceTexts';

/* What the docs name exists: links, commands, files, images, and parameters. */

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

/** Names in the first cells of the tables below a heading, where several names can share a cell. */
function namesBelow(page: string, heading: string): string[] {
	const section = read(page)
		.split(new RegExp(`^#+ ${heading}$`, 'm'))[1]
		.split(/^#/m)[0];
	return [...section.matchAll(/^\| (.*?) \|/gm)]
		.flatMap(([, cell]) => cell.split(', '))
		.filter((name) => !/^(?:---|Parameter|Option|Field)$/.test(name));
}

/** Names of the parameters that a user fills in, those in collections included. */
function parameterNames(properties: INodeProperties[]): string[] {
	return properties
		.filter(({ type }) => type !== 'notice' && type !== 'hidden')
		.flatMap(({ displayName, type, options = [] }) =>
			type === 'collection'
				? parameterNames(options.filter((option): option is INodeProperties => 'type' in option))
				: [displayName],
		);
}

test.each([
	{
		page: 'docs/payments-node.md',
		headings: ['Parameters', 'Additional Fields', 'Options'],
		properties: new Payments().description.properties,
		// Described under headings of their own.
		others: ['Description', 'Resource', 'Operation', 'Specify Transaction'],
	},
	{
		page: 'docs/credentials.md',
		headings: ['Payments API'],
		properties: new PaymentsApi().properties,
		others: [],
	},
	{
		page: 'docs/credentials.md',
		headings: ['Payments Webhook API'],
		properties: new PaymentsWebhookApi().properties,
		others: [],
	},
	{
		page: 'docs/payments-trigger.md',
		headings: ['Parameters', 'Options'],
		properties: new PaymentsTrigger().description.properties,
		others: [],
	},
])('$page: the tables below $headings have every parameter', (reference) => {
	const { page, headings, properties, others } = reference;
	const documented = headings.flatMap((heading) => namesBelow(page, heading));
	expect([...others, ...documented].sort()).toEqual(parameterNames(properties).sort());
});

/**
 * Rows of the table with the columns Option, Default, and others: the name and what the page says
 * is its default.
 */
const documentedDefaults = (page: string) => {
	const table = read(page)
		.split(/^\| Option \| Default \|.*$/m)[1]
		.split('\n\n')[0];
	return [...table.matchAll(/^\| ([^|]+) \| ([^|]+) \|/gm)].filter(([, name]) => name !== '---');
};

/** How a page writes the default of a parameter. */
function writtenDefault({ default: value, options = [] }: INodeProperties): string {
	if (value === '') return 'None';
	if (typeof value === 'boolean') return value ? 'On' : 'Off';
	const choice = options.find((option) => 'value' in option && option.value === value);
	return choice ? `*${choice.name}*` : JSON.stringify(value).replaceAll('"', '');
}

test.each([
	{ page: 'docs/payments-node.md', properties: new Payments().description.properties },
	{ page: 'docs/payments-trigger.md', properties: new PaymentsTrigger().description.properties },
])('$page: the defaults of the options are those of the code', ({ page, properties }) => {
	const { options = [] } = properties.find(({ name }) => name === 'options')!;
	const defaults = (options as INodeProperties[]).map((option) => [
		option.displayName,
		writtenDefault(option),
	]);
	const documented = documentedDefaults(page).map(([, name, value]) => [
		name,
		value.replaceAll('`', ''),
	]);
	expect(documented).toEqual(defaults);
});

test.each([
	{ folder: 'examples', page: 'docs/examples.md' },
	{ folder: 'examples/payouts', page: 'docs/payouts.md' },
])('every workflow of $folder is in $page', ({ folder, page }) => {
	const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.json'));
	const missing = files.filter((file) => !read(page).includes(`../${folder}/${file}`));
	expect(missing).toEqual([]);
});

test('every option of the sandbox that the docs name is one of its command', () => {
	const usage = read('sandbox/cli/options.ts');
	const named = [...read('docs/sandbox.md').matchAll(/`(--[a-z]+)/g)].map(([, option]) => option);
	expect(named.length).toBeGreaterThan(4);
	expect(named.filter((option) => !usage.includes(option))).toEqual([]);
});
