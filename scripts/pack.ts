import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const root = dirname(__dirname);
const run = promisify(execFile);

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

/** Builds what ships and packs it into .cache/pack, as `npm publish` would. Throws with the compiler's words. */
export async function packPlugin(): Promise<Packed> {
	const folder = join(root, '.cache', 'pack');
	mkdirSync(folder, { recursive: true });
	await run(process.execPath, [join(root, 'scripts', 'run.mjs'), 'build'], { cwd: root }).catch(
		(error: Error & { stdout?: string }) => {
			throw new Error(`The package could not be built.\n${error.stdout ?? ''}${error.message}`);
		},
	);
	const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
		cwd: root,
	});
	const [{ filename, size, unpackedSize, files }] = JSON.parse(stdout) as [
		Packed & { filename: string },
	];
	return { file: join(folder, filename), size, unpackedSize, files };
}
