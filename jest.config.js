const { availableParallelism } = require('node:os');

const swc = [
	'@swc/jest',
	{ jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true } } },
];
const base = {
	rootDir: __dirname,
	transform: { '\\.(ts|mjs)$': swc, '(p-wait-for|p-timeout)/index\\.js$': swc },
	// Published as an ES module only, and Jest loads CommonJS.
	transformIgnorePatterns: ['/node_modules/(?!(p-wait-for|p-timeout)/)'],
	setupFilesAfterEnv: ['<rootDir>/test/jest.timeout.ts'],
};
/** For tests that speak to an n8n of its own process. */
const setupFilesAfterEnv = [...base.setupFilesAfterEnv, '<rootDir>/test/jest.connections.ts'];
/** For many small test files: packages are loaded once for each worker. */
const loadOnce = {
	testEnvironment: require.resolve('./test/loadOnce/environment.js'),
	transform: { ...base.transform, '/node_modules/': '<rootDir>/test/loadOnce/transform.js' },
	// What runs the tests isn't loaded in a test's environment.
	transformIgnorePatterns: ['/node_modules/(@?jest|@stryker-mutator/)'],
};
/** `*.test.ts` runs alone, `*.engine.test.ts` in n8n's engine. */
const OWN_COMMAND = [
	'/node_modules/',
	'/test/e2e/',
	'/test/measured/',
	'/test/nightly/',
	'/test/queue/',
];
const inProcess = { ...base, ...loadOnce, roots: ['<rootDir>/test'] };
const project = (name, more = {}) => ({
	...base,
	displayName: name,
	roots: [`<rootDir>/test/${name}`],
	...more,
});
/**
 * One project per kind of test: `npm test` runs the first two, the others have their own commands.
 */
module.exports = {
	// Three more than the processor runs at the same time, because some tests wait for time to pass.
	maxWorkers: availableParallelism() + 3,
	projects: [
		{
			...inProcess,
			displayName: 'unit',
			testMatch: ['**/*.test.ts'],
			testPathIgnorePatterns: [...OWN_COMMAND, '\\.engine\\.test\\.ts$'],
		},
		{
			...inProcess,
			displayName: 'engine',
			testMatch: ['**/*.engine.test.ts'],
			testPathIgnorePatterns: OWN_COMMAND,
		},
		project('e2e', {
			setupFilesAfterEnv,
			globalSetup: '<rootDir>/test/e2e/setup.ts',
			globalTeardown: '<rootDir>/test/e2e/teardown.ts',
		}),
		// Servers that others made.
		{ ...inProcess, displayName: 'nightly', roots: ['<rootDir>/test/nightly'] },
		// Time and memory, measured while nothing else runs.
		project('measured'),
		project('queue', { setupFilesAfterEnv }),
	],
};
