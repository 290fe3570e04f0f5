import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import {
	PluginKind,
	commonTokens,
	declareFactoryPlugin,
	tokens,
} from '@stryker-mutator/api/plugin';
import { strykerPlugins as jestPlugins } from '@stryker-mutator/jest-runner';

/** In Stryker's copy of the project, which all of its processes share: test → its files. */
const TEST_FILES = 'test-files.json';

/**
 * Stryker's Jest runner, which loads only the test files that contain a test for the mutant. By itself, it loads every test file, and leaves out
 * tests by their names.
 */
function createRunner(injector) {
	const runner = injector.injectFunction(jestPlugins[0].factory);
	const { jestTestAdapter: adapter } = runner;
	const run = adapter.run.bind(adapter);
	let testFiles;
	adapter.run = async (settings) => {
		globalThis.isMutantKilled = false;
		return await run({ ...settings, ...(testFiles && { testFiles }) });
	};
	const { dryRun, mutantRun } = runner;
	runner.dryRun = async (options) => {
		const result = await dryRun.call(runner, options);
		const files = {};
		for (const { id, fileName } of result.tests ?? []) (files[id] ??= []).push(fileName);
		writeFileSync(TEST_FILES, JSON.stringify(files));
		return result;
	};
	runner.mutantRun = async (options) => {
		testFiles = filesOf(options.testFilter);
		return await mutantRun.call(runner, options);
	};
	return runner;
}
createRunner.inject = tokens(commonTokens.injector);

/** @param {string[] | undefined} tests `undefined` for all of them */
function filesOf(tests) {
	if (!tests || !existsSync(TEST_FILES)) return undefined;
	const files = JSON.parse(readFileSync(TEST_FILES, 'utf8'));
	const found = new Set(tests.flatMap((test) => files[test] ?? []));
	return found.size > 0 ? [...found] : undefined;
}

export const strykerPlugins = [
	declareFactoryPlugin(PluginKind.TestRunner, 'covering-jest', createRunner),
];
