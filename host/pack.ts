import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = dirname(__dirname);
const folder = join(root, '.cache', 'pack');

/** The package as it is published. */
export interface Packed {
	/** Path of the tarball. */
	file: string;
	/** Bytes of the tarball, and of what is in it. */
	size: number;
	unpackedSize: number;
	/** What ships; sizes in bytes. */
	files: Array<{ path: string; size: number }>;
}

/** What `npm pack --json` says about a package. */
type PackReport = Omit<Packed, 'file'> & { filename: string };

/**
 * Builds what ships and packs it into .cache/pack with `npm pack`. The tarball is what is checked,
 * tested, and published.
 * @throws with the output of the compiler
 */
export async function packPackage(): Promise<Packed> {
	await run('npm', ['run', '--silent', 'build'], { cwd: __dirname });
	mkdirSync(folder, { recursive: true });
	const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
	const { stdout } = await run('npm', pack, { cwd: root });
	const [{ filename, ...report }] = JSON.parse(stdout) as PackReport[];
	return { ...report, file: join(folder, filename) };
}
