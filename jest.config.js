const base = {
	rootDir: __dirname,
	testEnvironment: 'node',
	transform: {
		'^.+\\.ts$': [
			'@swc/jest',
			{ jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true } } },
		],
	},
};
const project = (name, more = {}) => ({
	...base,
	displayName: name,
	// Not all of test/: the n8n installations below it have 100,000 files, which nothing here looks for by name.
	roots: [`<rootDir>/test/${name}`],
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	...more,
});
const patient = { setupFilesAfterEnv: ['<rootDir>/test/jest.timeout.ts'] };

/** One project per kind of proof; `npm test` runs the first two, the others have a command of their own. */
module.exports = {
	projects: [
		project('unit', patient),
		project('integration', {
			...patient,
			setupFiles: ['<rootDir>/test/integration/environment.ts'],
		}),
		project('e2e', {
			...patient,
			globalSetup: '<rootDir>/test/e2e/setup.ts',
			globalTeardown: '<rootDir>/test/e2e/teardown.ts',
		}),
		project('queue', patient),
	],
};
