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
/** For many small test files: packages are loaded once for each worker. */
const loadOnce = {
	testEnvironment: require.resolve('./test/loadOnce/environment.js'),
	transform: { ...base.transform, '/node_modules/': '<rootDir>/test/loadOnce/transform.js' },
	// What runs the tests isn't loaded in a test's environment.
	transformIgnorePatterns: ['/node_modules/(@?jest|@stryker-mutator/)'],
};
const project = (name, more = {}) => ({
	...base,
	displayName: name,
	roots: [`<rootDir>/test/${name}`],
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	...more,
});
/**
 * One project per kind of test: `npm test` runs the first two, the others have their own commands.
 */
module.exports = {
	// Three more than the processor runs at the same time, because some tests wait for time to pass.
	maxWorkers: availableParallelism() + 3,
	projects: [
		project('unit', loadOnce),
		project('integration', loadOnce),
		project('e2e', {
			globalSetup: '<rootDir>/test/e2e/setup.ts',
			globalTeardown: '<rootDir>/test/e2e/teardown.ts',
		}),
		project('queue'),
	],
};
