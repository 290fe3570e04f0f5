// Mutation tests: `npm run test:mutation` changes the shipped code in thousands of places, one at a time, and reports the changes that no
// test notices. See CONTRIBUTING.md.

import testSets from './test/mutation/testSets.js';

const { name, mutate } = testSets;

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
	jest: {
		projectType: 'custom',
		configFile: 'test/mutation/jest.config.js',
		enableFindRelatedTests: false,
	},
	coverageAnalysis: 'perTest',
	mutate,
	ignorers: ['descriptions'],
	concurrency: 2,
	maxTestRunnerReuse: 150,
	dryRunTimeoutMinutes: 20,
	timeoutMS: 10_000,
	timeoutFactor: 3,
	// Types aren't checked: SWC drops them.
	disableTypeChecks: false,
	// A mutant of a constant that is set when its file is loaded needs all tests: in n8n's engine, that takes minutes for each.
	ignoreStatic: name !== 'unit',
	incremental: true,
	incrementalFile: `.cache/mutation/${name}.incremental.json`,
	tempDirName: '.cache/mutation/sandbox',
	ignorePatterns: [
		'.cache',
		'.artefacts',
		'bench',
		'deploy',
		'dist',
		'docs/images',
		'scripts/scanner',
		// remark would check the links of copied pages.
		'**/*.md',
		// A test reads it.
		'!docs/responses.md',
		'test/e2e',
		'test/queue',
	],
	reporters: ['clear-text', 'progress', 'html', 'json'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	htmlReporter: { fileName: `.cache/mutation/${name}.html` },
	jsonReporter: { fileName: `.cache/mutation/${name}.json` },
	thresholds: { high: 95, low: 90, break: 95 },
};
