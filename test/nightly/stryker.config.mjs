// Mutation tests: `npm run test:mutation` changes the shipped code in thousands of places, one at a
// time, and lists the changes that no unit test notices. See CONTRIBUTING.md.

// Most mutants that a property can kill, it kills within a few runs.
process.env.PROPERTY_RUNS ??= '20';
process.env.PROPERTY_SEED ??= '1';

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	packageManager: 'npm',
	testRunner: 'jest',
	jest: { projectType: 'custom', configFile: 'test/nightly/jest.mutation.js' },
	coverageAnalysis: 'perTest',
	mutate: [
		'nodes/**/*.ts',
		'credentials/**/*.ts',
		// Data, of which a mutant says nothing.
		'!**/*.generated.ts',
		'!nodes/**/description.ts',
		'!nodes/Payments/editor/*.ts',
	],
	concurrency: 2,
	dryRunTimeoutMinutes: 20,
	timeoutMS: 10_000,
	timeoutFactor: 3,
	// Types aren't checked: SWC drops them.
	disableTypeChecks: false,
	incremental: true,
	incrementalFile: '.cache/mutation/incremental.json',
	tempDirName: '.cache/mutation/sandbox',
	ignorePatterns: [
		'.cache',
		'.artifacts',
		'bench',
		'deploy',
		'dist',
		'scripts',
		'test/e2e',
		'test/nightly/node_modules',
		'test/queue',
	],
	reporters: ['clear-text', 'progress', 'html'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	htmlReporter: { fileName: '.cache/mutation/report.html' },
};
