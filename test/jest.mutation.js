const { projects } = require('../jest.config.js');

const [unit] = projects;

/** Stryker measures the coverage of one project only. */
module.exports = {
	...unit,
	displayName: undefined,
	testPathIgnorePatterns: [
		'/node_modules/',
		// They read the source code, which contains all mutants while Stryker runs.
		'/test/unit/(codes|docs|errorReference|jobs|terminology|workflows)\\.test\\.ts$',
		// They test what doesn't ship.
		'/test/unit/(sandbox-[a-z]+|tools)\\.test\\.ts$',
	],
};
