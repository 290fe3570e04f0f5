const { join } = require('node:path');

const { projects } = require('../../jest.config.js');
const { tests } = require('./testSets');

const [unit, integration] = projects;

/** One project for Stryker, which doesn't measure the coverage of several. */
module.exports = {
	...unit,
	displayName: undefined,
	roots: [...unit.roots, ...integration.roots],
	testMatch: tests.map((pattern) => `<rootDir>/test/${pattern}`),
	testPathIgnorePatterns: [
		'/node_modules/',
		// They read the source code, which contains all mutants while Stryker runs.
		'/test/unit/(codes|docs|errorReference|jobs|terminology|workflows)\\.test\\.ts$',
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
