import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the repository. */
export const root = join(__dirname, '..', '..');
export const read = (path: string) => readFileSync(join(root, path), 'utf8');

/**
 * Lists the files below a folder whose names have an ending, without what was installed or built.
 */
export function filesIn(folder: string, ending: string): string[] {
	return readdirSync(join(root, folder), { withFileTypes: true })
		.filter(({ name }) => !['node_modules', '.git', '.cache', 'dist'].includes(name))
		.flatMap((entry) => {
			const path = join(folder, entry.name);
			if (entry.isDirectory()) return filesIn(path, ending);
			return entry.name.endsWith(ending) ? [path] : [];
		});
}

/** The pages of the docs, the READMEs included. */
export const pages = [
	...readdirSync(root).filter((name) => name.endsWith('.md')),
	...['docs', 'deploy', 'sandbox', 'bench'].flatMap((folder) => filesIn(folder, '.md')),
];
