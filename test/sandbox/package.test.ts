import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const SANDBOX = join(__dirname, '../../sandbox');
const { files, bin, scripts } = JSON.parse(
	readFileSync(join(SANDBOX, 'package.json'), 'utf8'),
) as Record<'bin' | 'scripts', Record<string, string>> & { files: string[] };

let folder: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'sandbox-package-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What is published, with its packages, and nothing else of the repository. */
it('has both commands, wherever it is installed', () => {
	const parts = files.filter((name) => !['dist', '*.ts'].includes(name));
	for (const name of [...parts, 'package.json'])
		cpSync(join(SANDBOX, name), join(folder, name), { recursive: true });
	for (const name of ['cli.ts', 'client.ts', 'contract.ts', 'types.ts'])
		cpSync(join(SANDBOX, name), join(folder, name));
	symlinkSync(join(SANDBOX, 'node_modules'), join(folder, 'node_modules'));
	const [program, ...args] = scripts.bundle.split(' ');
	const outfile = `--outfile=${join(folder, 'dist/check.js')}`;
	execFileSync(
		join(SANDBOX, 'node_modules/.bin', program),
		args.map((one) => (one.startsWith('--outfile') ? outfile : one)),
		{ cwd: SANDBOX },
	);
	for (const [name, file] of Object.entries(bin)) {
		const command = [join(folder, file), '--help'];
		expect(execFileSync(process.execPath, command, { encoding: 'utf8' })).toContain(
			basename(name) === 'n8n-payments-check' ? 'check:service' : 'npm run sandbox',
		);
	}
});
