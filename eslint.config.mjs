import js from '@eslint/js';
import { config as n8nRules } from '@n8n/node-cli/eslint';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';

export default defineConfig([
	globalIgnores(['**/dist/', '**/.cache/', '.artifacts/']),
	{
		name: "n8n's own rules, unmodified, on what ships",
		files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'package.json'],
		extends: [n8nRules],
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
		name: 'comments fit in 100 columns, like the code, which Prettier wraps',
		files: ['**/*.{ts,js,mjs}'],
		ignores: ['**/*.generated.ts'],
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
		languageOptions: { globals: globals.node },
	},
	{
		name: 'JavaScript in the browser',
		files: ['sandbox/page/**/*.js'],
		extends: [js.configs.recommended],
		languageOptions: { globals: globals.browser },
	},
]);
