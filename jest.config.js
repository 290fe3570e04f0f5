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
};
/** For tests that start programs, and speak to an n8n of its own process. */
const setupFilesAfterEnv = ['<rootDir>/test/jest.programs.ts'];
/** For many small test files: packages are loaded once for each worker. */
const loadOnce = {
	testEnvironment: require.resolve('./test/loadOnce/environment.js'),
	setupFilesAfterEnv: ['<rootDir>/test/loadOnce/timeout.ts'],
	transform: { ...base.transform, '/node_modules/': '<rootDir>/test/loadOnce/transform.js' },
	// What runs the tests isn't loaded in a test's environment.
	transformIgnorePatterns: ['/node_modules/(@?jest|@stryker-mutator/)'],
};
/** `*.test.ts` runs alone, `*.engine.test.ts` in n8n's engine. */
const OWN_COMMAND = ['/node_modules/', '/test/e2e/', '/test/nightly/', '/test/queue/'];
const inProcess = { ...base, ...loadOnce, roots: ['<rootDir>/test'] };
/**
 * One project per kind of test: `npm test` runs the first two, the others have their own commands.
 */
module.exports = {
	// Three more than the processor runs at the same time, because some tests wait for time to pass.
	maxWorkers: availableParallelism() + 3,
	// For a worker on a busy machine; idle ones end at once: see test/loadOnce/environment.js.
	workerGracefulExitTimeout: 10_000,
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
		{
			...base,
			displayName: 'e2e',
			roots: ['<rootDir>/test/e2e'],
			setupFilesAfterEnv,
			globalSetup: '<rootDir>/test/e2e/setup.ts',
			globalTeardown: '<rootDir>/test/e2e/teardown.ts',
		},
		// Servers that others made, and memory, which is measured while nothing else runs.
		{ ...inProcess, displayName: 'nightly', roots: ['<rootDir>/test/nightly'] },
		{ ...base, displayName: 'queue', roots: ['<rootDir>/test/queue'], setupFilesAfterEnv },
	],
};
