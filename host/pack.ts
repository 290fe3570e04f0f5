import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Builds what ships, and packs it with `npm pack`. The tarball is what is checked, tested, and
 * published.
 *
 * @returns the path of the tarball
 * @throws with the output of the compiler
 */
export async function packPackage(): Promise<{ file: string }> {
	const command = ['run', '--silent', 'pack'];
	const { stdout } = await promisify(execFile)('npm', command, { cwd: __dirname });
	return { file: join(__dirname, '..', '.cache', 'pack', stdout.trim()) };
}
