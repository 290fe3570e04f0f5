import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from '../host/install.mjs';

/**
 * @typedef {object} Count
 * @property {number} passed
 * @property {number} failed
 * @property {Array<{ name: string, ms: number }>} tests
 * @property {string[]} failures what Jest prints about each file with a failed test
 */

/**
 * Counts the tests of the Jest run that has just ended.
 * @param {string} check name that is put before those of the tests
 * @param {number} code
 * @param {string} resultsFile
 * @returns {Count}
 */
export function countTests(check, code, resultsFile) {
	if (!existsSync(resultsFile)) {
		return { passed: 0, failed: 1, tests: [], failures: [`FAIL ${check}: Jest left no results`] };
	}
	const results = JSON.parse(readFileSync(resultsFile, 'utf8'));
	const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
	const tests = [];
	const failures = [];
	for (const { name, status, message, assertionResults } of results.testResults) {
		if (status === 'failed') failures.push(`FAIL ${relative(root, name)}\n${message}`);
		for (const { fullName, duration } of assertionResults) {
			tests.push({ name: `${check}: ${fullName}`, ms: duration ?? 0 });
		}
	}
	const failedOtherwise = failed === 0 && code !== 0;
	return {
		passed: results.numPassedTests,
		failed: failedOtherwise ? 1 : failed,
		tests,
		failures,
	};
}
