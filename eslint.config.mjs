import js from '@eslint/js';
import { n8nCommunityNodesPlugin as communityNodes } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig, globalIgnores } from 'eslint/config';
import importX, { createNodeResolver } from 'eslint-plugin-import-x';
import nodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

const SHIPPED = ['nodes/**/*.ts', 'credentials/**/*.ts'];
/** The folders of the Payments node; their terms are what they share. */
const PAYMENTS_FOLDERS = ['editor', 'input', 'validation', 'sending', 'output'];
const PAYMENTS_TERMS = [
	'./Transaction.ts',
	'./results.ts',
	'./decimals.ts',
	'./options.ts',
	'./recordedCodes.ts',
	'./eventId.ts',
	'./identifierFlaws.ts',
	'./lists.ts',
	'./limits',
];
/** Where an import may lead to: from each folder to itself, and to what is shared. */
const ZONES = [
	{ target: './nodes/shared', from: './nodes', except: ['./shared'] },
	{ target: './credentials', from: './nodes', except: ['./shared'] },
	{ target: './nodes/Payments', from: './nodes/PaymentsTrigger' },
	{ target: './nodes/PaymentsTrigger', from: './nodes/Payments' },
	{
		target: './nodes/PaymentsTrigger/signature',
		from: './nodes/PaymentsTrigger',
		except: ['./signature'],
	},
	...PAYMENTS_FOLDERS.map((folder) => ({
		target: `./nodes/Payments/${folder}`,
		from: './nodes/Payments',
		except: [`./${folder}`, ...PAYMENTS_TERMS],
	})),
	// Only the node's description reads what the editor shows.
	{ target: './nodes/Payments/!(*.node).ts', from: './nodes/Payments/editor' },
];
const CHECK_ZONES = ['bench', 'demo', 'host', 'sandbox', 'scripts', 'test'].map((room) => ({
	target: './check',
	from: `./${room}`,
}));
const EVERYWHERE = ['console', 'fetch', 'setInterval', 'clearInterval', 'setTimeout', 'URL'];
const NODE = ['process', 'module', 'exports', 'require', '__dirname', '__filename'];
const BROWSER = ['document', 'location', 'navigator', 'window', 'URLSearchParams'];
/** @param {string[]} names of global variables */
const globals = (names) => Object.fromEntries(names.map((name) => [name, 'readonly']));

export default defineConfig([
	globalIgnores(['**/dist/', '**/.cache/', '.artifacts/', '**/*.generated.ts']),
	{
		name: "n8n's recommended rules for community nodes, without exceptions",
		files: [...SHIPPED, 'package.json'],
		extends: [communityNodes.configs.recommended],
		linterOptions: { noInlineConfig: true },
	},
	{
		name: "n8n's rules for the package",
		files: ['package.json'],
		plugins: { 'n8n-nodes-base': nodesBase },
		rules: nodesBase.configs.community.rules,
		languageOptions: {
			parser: tseslint.parser,
			parserOptions: { extraFileExtensions: ['.json'] },
		},
	},
	{
		name: "n8n's rules for credentials; its own command switches off the same two",
		files: ['credentials/**/*.ts'],
		plugins: { 'n8n-nodes-base': nodesBase },
		rules: {
			...nodesBase.configs.credentials.rules,
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		name: "n8n's rules for nodes; its own command switches off the same three",
		files: ['nodes/**/*.ts'],
		plugins: { 'n8n-nodes-base': nodesBase },
		rules: {
			...nodesBase.configs.nodes.rules,
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
	{
		name: 'all TypeScript, with type information',
		files: ['**/*.ts'],
		extends: [js.configs.recommended, tseslint.configs.recommendedTypeChecked],
		languageOptions: {
			parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
		},
		rules: {
			// An implementation of an asynchronous interface may have nothing to wait for.
			'@typescript-eslint/require-await': 'off',
			// `const { secret, ...rest } = client` is how a property is left out.
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
		},
	},
	{
		name: 'what ships imports one way',
		files: SHIPPED,
		plugins: { 'import-x': importX },
		settings: { 'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts'] })] },
		rules: {
			'no-console': 'error',
			'import-x/no-cycle': 'error',
			'import-x/no-restricted-paths': ['error', { zones: ZONES }],
		},
	},
	{
		name: 'the check imports what ships, and nothing else of the repository',
		files: ['check/**/*.ts'],
		plugins: { 'import-x': importX },
		settings: { 'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts'] })] },
		rules: {
			'import-x/no-cycle': 'error',
			'import-x/no-restricted-paths': ['error', { zones: CHECK_ZONES }],
		},
	},
	{
		name: 'comments fit in 100 columns, like the code, which Prettier wraps',
		files: ['**/*.{ts,js,mjs}'],
		rules: {
			'max-len': ['error', { code: 1000, comments: 100, tabWidth: 2, ignoreUrls: true }],
		},
	},
	{
		name: 'tests',
		files: ['test/**/*.ts'],
		rules: {
			// Jest declares its asymmetric matchers, such as expect.any(String), as `any`.
			'@typescript-eslint/no-unsafe-assignment': 'off',
			// An assertion may say what a value is where it would be inferred, too.
			'@typescript-eslint/no-unnecessary-type-assertion': 'off',
		},
	},
	{
		name: 'property tests take their number of runs from one place',
		files: ['test/**/*.test.ts'],
		rules: {
			'no-restricted-imports': [
				'error',
				{ name: 'fast-check', message: 'Import fc from test/support/properties.' },
			],
			'no-restricted-syntax': [
				'error',
				{
					selector: 'Property[key.name="numRuns"] > :matches(Literal, BinaryExpression)',
					message: 'Use propertyRuns(count), so that PROPERTY_RUNS can lower it.',
				},
			],
		},
	},
	{
		name: 'JavaScript on Node',
		files: ['**/*.{js,mjs}'],
		ignores: ['sandbox/page/**'],
		extends: [js.configs.recommended],
		languageOptions: { globals: globals([...EVERYWHERE, ...NODE]) },
	},
	{
		name: 'JavaScript in the browser',
		files: ['sandbox/page/**/*.js'],
		extends: [js.configs.recommended],
		languageOptions: { globals: globals([...EVERYWHERE, ...BROWSER]) },
	},
]);
