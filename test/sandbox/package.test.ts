import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SANDBOX = join(__dirname, '../../sandbox');
const { files, bin } = JSON.parse(readFileSync(join(SANDBOX, 'package.json'), 'utf8')) as {
	bin: Record<string, string>;
	files: string[];
};

let folder: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'sandbox-package-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What is published, with its packages, and nothing else of the repository. */
it('has its command, wherever it is installed', () => {
	const parts = files.filter((name) => name !== '*.ts');
	for (const name of [...parts, 'package.json'])
		cpSync(join(SANDBOX, name), join(folder, name), { recursive: true });
	for (const name of ['cli.ts', 'client.ts', 'contract.ts', 'types.ts'])
		cpSync(join(SANDBOX, name), join(folder, name));
	symlinkSync(join(SANDBOX, 'node_modules'), join(folder, 'node_modules'));
	const command = [join(folder, bin['n8n-payments-sandbox']), '--help'];
	expect(execFileSync(process.execPath, command, { encoding: 'utf8' })).toContain(
		'npm run sandbox',
	);
});
