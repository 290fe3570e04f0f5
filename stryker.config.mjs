// Mutation tests: `npm run test:mutation` changes the shipped code in thousands of places, one at a time, and reports the changes that no
// test notices. See CONTRIBUTING.md.

// Property tests run for each mutant; most mutants that they can kill, they kill within a few runs.
process.env.PROPERTY_RUNS ??= '20';
// The same runs for each mutant: a score that differs from day to day tells nothing.
process.env.PROPERTY_SEED ??= '1';

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	packageManager: 'npm',
	plugins: [
		'@stryker-mutator/jest-runner',
		'./test/mutation/runner.mjs',
		'./test/mutation/ignoreDescriptions.mjs',
	],
	testRunner: 'covering-jest',
	jest: { projectType: 'custom', configFile: 'test/mutation/jest.config.js' },
	coverageAnalysis: 'perTest',
	mutate: [
		'nodes/**/*.ts',
		'credentials/**/*.ts',
		'!**/*.generated.ts',
		'!nodes/**/description.ts',
		'!nodes/Payments/transaction/{fieldLabels,options,outputParameters,toolDescription}.ts',
	],
	ignorers: ['descriptions'],
	concurrency: 2,
	maxTestRunnerReuse: 150,
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
		'.artefacts',
		'bench',
		'deploy',
		'dist',
		'docs',
		'scripts/scanner',
		// remark would check the links of copied pages.
		'**/*.md',
		'test/e2e',
		'test/queue',
	],
	reporters: ['clear-text', 'progress', 'html', 'json'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	htmlReporter: { fileName: '.cache/mutation/report.html' },
	jsonReporter: { fileName: '.cache/mutation/report.json' },
	thresholds: { high: 95, low: 90, break: null },
};
