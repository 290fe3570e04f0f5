const base = {
	rootDir: __dirname,
	testEnvironment: 'node',
	transform: {
		'^.+\\.ts$': [
			'@swc/jest',
			{ jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true } } },
		],
	},
	roots: ['<rootDir>/test'], // host/node_modules alone has 100,000 files, which nothing here looks for by name
};
const project = (name, more = {}) => ({
	...base,
	displayName: name,
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	...more,
});
const patient = { setupFilesAfterEnv: ['<rootDir>/test/patience.ts'] };

/** One project per kind of proof; `npm test` runs the first two, the others have a command of their own. */
module.exports = {
	projects: [
		project('unit', patient),
		project('engine', { ...patient, setupFiles: ['<rootDir>/test/engine/environment.ts'] }),
		project('e2e', {
			...patient,
			globalSetup: '<rootDir>/test/e2e/setup.ts',
			globalTeardown: '<rootDir>/test/e2e/teardown.ts',
		}),
		project('queue', patient),
	],
};
