import { mkdirSync } from 'node:fs';
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

/**
 * Builds what ships and packs it into .cache/pack, as `npm publish` does.
 * @throws with the output of the compiler
 */
export async function packPackage(): Promise<Packed> {
	const folder = join(root, '.cache', 'pack');
	mkdirSync(folder, { recursive: true });
	await execa('npm', ['run', '--silent', 'build'], { cwd: root });
	const { stdout } = await execa('npm', ['pack', '--json', '--pack-destination', folder], {
		cwd: root,
	});
	const [{ filename, size, unpackedSize, files }] = JSON.parse(stdout) as [
		Packed & { filename: string },
	];
	return { file: join(folder, filename), size, unpackedSize, files };
}
