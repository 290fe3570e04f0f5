const { projects } = require('../../jest.config.js');

const [unit] = projects;

/** Stryker measures the coverage of one project only. */
module.exports = {
	...unit,
	displayName: undefined,
	testPathIgnorePatterns: [
		...unit.testPathIgnorePatterns,
		// They read the source code, which contains all mutants while Stryker runs, or test what
		// doesn't ship.
		'/test/(docs|examples|host|sandbox)/',
	],
};
