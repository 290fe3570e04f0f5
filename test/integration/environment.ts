import { join } from 'node:path';

// n8n-core reads these when it is imported, so they are set before anything else. Each worker of Jest always has the same
// folder, so that none is left behind.
const worker = process.env.JEST_WORKER_ID ?? '1';
process.env.N8N_USER_FOLDER = join(__dirname, '..', '..', '.cache', 'n8n-engine', worker);
process.env.N8N_ENCRYPTION_KEY = 'engine-test-key-0000000000000000';
process.env.N8N_LOG_LEVEL ??= 'silent';
// isolated-vm has no build for Node 20; n8n's default engine is tested in test/e2e.
process.env.N8N_EXPRESSION_ENGINE ??= 'legacy';
