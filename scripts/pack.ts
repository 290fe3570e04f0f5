import {
	cpSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { dirname, extname, join } from 'node:path';
import execa from 'execa';
import { withLock } from './lock.mjs';

const root = dirname(__dirname);
const folder = join(root, '.cache', 'pack');
/** What ships, in a folder of the name that npm expects in a tarball. */
const stage = join(folder, 'package');

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

interface Manifest {
	name: string;
	version: string;
	files: string[];
	scripts?: unknown;
	devDependencies?: unknown;
}

/** Puts what ships into a folder: the manifest without the commands and tools of this repository, which nobody needs who installs it. */
function stagePackage(): Manifest {
	rmSync(stage, { recursive: true, force: true });
	mkdirSync(stage, { recursive: true });
	const text = readFileSync(join(root, 'package.json'), 'utf8');
	const { scripts, devDependencies, ...manifest } = JSON.parse(text) as Manifest;
	for (const name of [...manifest.files, 'README.md', 'LICENSE'])
		cpSync(join(root, name), join(stage, name), { recursive: true });
	writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, '\t')}\n`);
	return manifest;
}

/** npm's own date of everything in a package (pacote, `FileFetcher`), so that the same sources give the same tarball. */
const DATE = new Date('1985-10-26T08:15:00Z');

/** Lists the files of what ships by type and folder, not by name as npm does: similar code is close together then, and gzip shortens it more. */
function stagedFiles(): Packed['files'] {
	const keyOf = (path: string) => `${extname(path)} ${path}`;
	return readdirSync(stage, { recursive: true, encoding: 'utf8' })
		.map((path) => ({ path, stats: statSync(join(stage, path)) }))
		.filter(({ stats }) => stats.isFile())
		.map(({ path, stats }) => ({ path, size: stats.size }))
		.sort((a, b) => (keyOf(a.path) < keyOf(b.path) ? -1 : 1));
}

/**
 * Builds what ships and packs it into .cache/pack. The tarball is what is checked, tested, and published. Commands that run
 * side by side wait for each other, and may go on reading the tarball of one that came before: it has the same bytes.
 * @throws with the output of the compiler
 */
export const packPackage = async (): Promise<Packed> =>
	await withLock('packing the nodes', buildAndPack);

async function buildAndPack(): Promise<Packed> {
	await execa('npm', ['run', '--silent', 'build'], { cwd: root });
	const { name, version } = stagePackage();
	const files = stagedFiles();
	for (const { path } of files) utimesSync(join(stage, path), DATE, DATE);
	const { stdout: tarball } = await execa(
		'tar',
		['--format', 'ustar', '-cf', '-', ...files.map(({ path }) => join('package', path))],
		{ cwd: folder, encoding: null, env: { COPYFILE_DISABLE: '1' } },
	);
	rmSync(stage, { recursive: true });
	// The program shortens more than the zlib of Node does. -n: without the name and the time of a file.
	const input = tarball as unknown as Buffer;
	const { stdout: gzipped } = await execa('gzip', ['-9n'], { input, encoding: null });
	const packed = gzipped as unknown as Buffer;
	const file = join(folder, `${name}-${version}.tgz`);
	writeFileSync(`${file}.unfinished`, packed);
	renameSync(`${file}.unfinished`, file);
	const unpackedSize = files.reduce((sum, { size }) => sum + size, 0);
	return { file, size: packed.length, unpackedSize, files };
}
