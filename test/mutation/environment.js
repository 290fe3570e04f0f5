const { join } = require('node:path');
const { TestEnvironment } = require('jest-environment-node');

// As test/integration/environment.ts, but for this process: n8n-core reads them when it is loaded, which is here.
process.env.N8N_USER_FOLDER = join(process.cwd(), '.cache', 'n8n-engine');
process.env.N8N_ENCRYPTION_KEY = 'engine-test-key-0000000000000000';
process.env.N8N_LOG_LEVEL ??= 'silent';
process.env.N8N_EXPRESSION_ENGINE ??= 'legacy';

/** Makes the tests for one mutant quick. Nothing of it changes whether a test passes. */
module.exports = class extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		// Jest loads each module anew for each test file, and n8n's engine takes seconds. So n8n's modules are loaded once for each process, see
		// loadedOnce/, and share with the tests what they test with `instanceof`.
		this.global.loadOnce = (name) => require(name);
		this.global.Date = Date;
		this.global.Error = Error;
	}

	/** The first test that fails kills the mutant, so those behind it don't run. */
	handleTestEvent({ name, test }) {
		if (name === 'test_fn_failure' || name === 'hook_failure') globalThis.isMutantKilled = true;
		if (name === 'test_start' && globalThis.isMutantKilled) test.mode = 'skip';
	}
};
