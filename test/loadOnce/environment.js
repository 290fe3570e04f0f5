const { createRequire } = require('node:module');
const { join } = require('node:path');
const { TestEnvironment } = require('jest-environment-node');

// n8n-core reads these when it is loaded. Each worker of Jest always has the same folder, so that
// none is left behind.
const worker = process.env.JEST_WORKER_ID ?? '1';
process.env.N8N_USER_FOLDER = join(__dirname, '..', '..', '.cache', 'n8n-engine', worker);
process.env.N8N_ENCRYPTION_KEY = 'engine-test-key-0000000000000000';
process.env.N8N_LOG_LEVEL ??= 'silent';
// isolated-vm has no build for Node 20; n8n's default engine is tested in test/e2e.
process.env.N8N_EXPRESSION_ENGINE ??= 'legacy';

/** In jest-worker's `types.ts`. */
const CHILD_MESSAGE_END = 2;
// Jest waits half a second for a worker to end by itself, and then says that it had to be killed.
// What n8n's engine leaves behind, such as idle connections, lasts longer.
if (process.send)
	process.on('message', ([type]) => {
		if (type === CHILD_MESSAGE_END) process.exit();
	});

let sandbox;
/** Starting a sandbox takes a second, so each worker has one, which ends with it. */
async function sandboxUrl() {
	if (!sandbox) {
		const file = join(__dirname, '..', '..', 'host', 'sandbox.ts');
		sandbox = createRequire(file)('tsx/cjs/api').require(file, __filename).launchSandbox();
	}
	const { url, process: managed } = await sandbox;
	for (const one of [managed.child, managed.child.stdout, managed.child.stderr]) one.unref();
	return url;
}

/**
 * Jest loads each module anew for each test file, and n8n's engine takes seconds. So packages are
 * loaded once for each worker, as Node loads them, and only our own code for each file.
 */
module.exports = class extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		this.global.loadOnce = require;
		this.global.sandboxUrl = sandboxUrl;
		// What tests and packages tell apart with `instanceof`.
		this.global.Date = Date;
		this.global.Error = Error;
	}
};
