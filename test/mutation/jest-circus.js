const { createEmptyTestResult } = require('@jest/test-result');
const circus = require('jest-circus/runner').default;

/** Leaves out the test files behind the one that killed the mutant. Stryker measures the coverage of each test when this is called jest-circus. */
module.exports = async (...args) => {
	const testPath = args[4];
	if (!globalThis.isMutantKilled) return await circus(...args);
	return { ...createEmptyTestResult(), testFilePath: testPath, skipped: true };
};
