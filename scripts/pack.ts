import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import execa from 'execa';

const root = dirname(__dirname);

/** The package as npm would publish it. */
export interface Packed {
	/** Path of the tarball. */
	file: string;
	/** Bytes of the tarball, and of what is in it. */
	size: number;
	unpackedSize: number;
	/** What ships; sizes in bytes. */
	files: Array<{ path: string; size: number }>;
}

/** The folder that is published. */
const PACKAGE = join(root, '.cache', 'pack', 'package');

/** Puts what ships into a folder of its own: the manifest without the commands and dependencies of this repository, which nobody needs who installs it. */
function stagePackage(): void {
	rmSync(PACKAGE, { recursive: true, force: true });
	mkdirSync(PACKAGE, { recursive: true });
	for (const name of ['dist', 'README.md', 'LICENSE'])
		cpSync(join(root, name), join(PACKAGE, name), { recursive: true });
	const text = readFileSync(join(root, 'package.json'), 'utf8');
	const { scripts, devDependencies, ...manifest } = JSON.parse(text) as Record<string, unknown>;
	writeFileSync(join(PACKAGE, 'package.json'), `${JSON.stringify(manifest, null, '\t')}\n`);
}

/**
 * Builds what ships and packs it into .cache/pack, as `npm publish` does with the folder .cache/pack/package.
 * @throws with the output of the compiler
 */
export async function packPackage(): Promise<Packed> {
	const folder = join(root, '.cache', 'pack');
	mkdirSync(folder, { recursive: true });
	await execa('npm', ['run', '--silent', 'build'], { cwd: root });
	stagePackage();
	const { stdout } = await execa('npm', ['pack', PACKAGE, '--json', '--pack-destination', folder], {
		cwd: root,
	});
	const [{ filename, size, unpackedSize, files }] = JSON.parse(stdout) as [
		Packed & { filename: string },
	];
	return { file: join(folder, filename), size, unpackedSize, files };
}
