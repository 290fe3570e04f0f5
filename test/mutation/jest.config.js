const { join } = require('node:path');

const { projects } = require('../../jest.config.js');

const [unit, integration] = projects;
/** Unit tests alone are quick. The tests in n8n's engine are needed for the files that only they cover. */
const projectsUsed = process.env.MUTATION_TESTS === 'all' ? [unit, integration] : [unit];

/**
 * One project for Stryker, which doesn't measure the coverage of several: the unit tests of shipped code, and the tests in n8n's engine
 * that are quick.
 */
module.exports = {
	...unit,
	displayName: undefined,
	roots: projectsUsed.flatMap(({ roots }) => roots),
	testMatch: projectsUsed.flatMap(({ testMatch }) => testMatch),
	testPathIgnorePatterns: [
		'/node_modules/',
		// They read the source code, which contains all mutants while Stryker runs.
		'/test/unit/(docs|errorReference|terminology|codes|workflows)\\.test\\.ts$',
		// They test what doesn't ship.
		'/test/unit/(sandbox-[a-z]+|tools)\\.test\\.ts$',
		// They take long, and what they test by chance, others test by tables.
		'/test/integration/(faults|prism|trigger-fuzz|trigger-hostile)\\.test\\.ts$',
	],
	testSequencer: join(__dirname, 'sequencer.js'),
	testRunner: join(__dirname, 'jest-circus.js'),
	testEnvironment: join(__dirname, 'environment.js'),
	moduleNameMapper: {
		'^(fast-check|luxon|n8n-core|n8n-workflow)$': '<rootDir>/test/mutation/loadedOnce/$1.js',
		'^@n8n/di$': '<rootDir>/test/mutation/loadedOnce/n8n-di.js',
	},
};
