// The checks that n8n makes before it verifies a community node, by n8n's own scanner but without a
// network: on the sources, and on the tarball that `npm run check:package` has packed. The scanner
// heeds no eslint-disable comment.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const tarball = join(root, '.cache', 'pack', `${name}-${version}.tgz`);
const unpacked = mkdtempSync(join(tmpdir(), 'payments-scan-'));
process.on('exit', () => rmSync(unpacked, { recursive: true, force: true }));
execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);

for (const [what, folder, patterns] of [
	['the sources', root, SOURCE_FILE_PATTERNS],
	['the tarball', unpacked, ['**/*.js', 'package.json']],
]) {
	const { passed, message = '', details = '' } = await analyzePackage(folder, patterns);
	console.log(`n8n's scanner on ${what}: ${passed ? 'passed' : `failed. ${message}\n${details}`}`);
	if (!passed) process.exitCode = 1;
}
