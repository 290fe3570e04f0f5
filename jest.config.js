const { availableParallelism } = require('node:os');

const swc = [
	'@swc/jest',
	{ jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true } } },
];
const base = {
	rootDir: __dirname,
	testEnvironment: 'node',
	transform: { '\\.(ts|mjs)$': swc, '(p-wait-for|p-timeout)/index\\.js$': swc },
	// Published as an ES module only, and Jest loads CommonJS.
	transformIgnorePatterns: ['/node_modules/(?!(p-wait-for|p-timeout)/)'],
};
const project = (name, more = {}) => ({
	...base,
	displayName: name,
	// Not all of test/: the n8n installations in test/support have 100,000 files, which Jest would list.
	roots: [`<rootDir>/test/${name}`],
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	...more,
});
const timeout = { setupFilesAfterEnv: ['<rootDir>/test/jest.timeout.ts'] };

/** One project per kind of test: `npm test` runs the first two, the others have their own commands. */
module.exports = {
	// One more than the processor runs at the same time, because some tests wait for time to pass.
	maxWorkers: availableParallelism() + 1,
	projects: [
		project('unit', timeout),
		project('integration', {
			...timeout,
			setupFiles: ['<rootDir>/test/integration/environment.ts'],
		}),
		project('e2e', {
			...timeout,
			globalSetup: '<rootDir>/test/e2e/setup.ts',
			globalTeardown: '<rootDir>/test/e2e/teardown.ts',
		}),
		project('queue', timeout),
	],
};
