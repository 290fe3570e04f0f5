import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { withLock } from './lock.mjs';

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
 * tested, and published. Commands that run side by side wait for each other, and may go on reading
 * the tarball of one that came before: it has the same bytes.
 * @throws with the output of the compiler
 */
export const packPackage = async (): Promise<Packed> =>
	await withLock('packing the nodes', buildAndPack);

async function buildAndPack(): Promise<Packed> {
	await run('npm', ['run', '--silent', 'build'], { cwd: __dirname });
	mkdirSync(folder, { recursive: true });
	const unfinished = mkdtempSync(join(folder, 'unfinished-'));
	const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', unfinished];
	const { stdout } = await run('npm', pack, { cwd: root });
	const [{ filename, ...report }] = JSON.parse(stdout) as PackReport[];
	const file = join(folder, filename);
	renameSync(join(unfinished, filename), file);
	rmSync(unfinished, { recursive: true });
	return { ...report, file };
}
