import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n-core reads these when it is imported, so they are set before anything else.
process.env.N8N_USER_FOLDER = mkdtempSync(join(tmpdir(), 'payments-engine-'));
process.env.N8N_ENCRYPTION_KEY = 'engine-test-key-0000000000000000';
process.env.N8N_LOG_LEVEL ??= 'silent';
// isolated-vm has no build for Node 20; what the default engine does is proven in the real n8n (test/e2e).
process.env.N8N_EXPRESSION_ENGINE ??= 'legacy';
