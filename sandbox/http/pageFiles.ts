import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const FOLDER = join(__dirname, '..');
const CACHE = join(FOLDER, 'node_modules', '.cache', 'sandbox-page');
const MAX_BYTES = 10_000_000;

/** What the page loads, and a version that changes with it. */
interface PageFiles {
	script: string;
	style: string;
	version: string;
}

/** Returns a hash of everything that script and stylesheet are made of. */
async function hashOfSources(): Promise<string> {
	const page = (await readdir(join(FOLDER, 'page'), { recursive: true })).sort();
	const sources = page
		.filter((file) => /\.(js|json|vue|css)$/.test(file))
		.map((file) => join('page', file));
	const hash = createHash('sha256');
	for (const file of [...sources, join('http', 'compilePage.ts'), 'package-lock.json'])
		hash.update(`${file}\n${await readFile(join(FOLDER, file), 'utf8')}`);
	return hash.digest('hex').slice(0, 32);
}

/**
 * Compiles script and stylesheet in a process of its own, because the compilers take 60 MB that
 * nothing needs afterwards. They're kept for the next start, if the folder can be written to.
 */
async function compile(file: string): Promise<string> {
	const args = ['--require', require.resolve('tsx/cjs'), join(__dirname, 'compilePage.ts')];
	const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: MAX_BYTES });
	const draft = `${file}.${process.pid}`;
	await mkdir(CACHE, { recursive: true })
		.then(async () => await writeFile(draft, stdout))
		.then(async () => await rename(draft, file))
		.catch(() => undefined);
	return stdout;
}

/** Returns script and stylesheet of the page; the first start compiles them. */
export async function pageFiles(): Promise<PageFiles> {
	const version = await hashOfSources();
	const file = join(CACHE, `${version}.json`);
	const compiled = await readFile(file, 'utf8').catch(async () => await compile(file));
	return { ...(JSON.parse(compiled) as Omit<PageFiles, 'version'>), version };
}
