import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, relative } from 'node:path';

const folder = join(__dirname, '../../sandbox');
const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
	dependencies: Record<string, string>;
};

/** The TypeScript files of the sandbox, without those of its dependencies. */
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts') && !file.startsWith('node_modules'))
	.map((file) => join(folder, file));

/** `@scope/name/file` → `@scope/name`, `name/file` → `name`. */
const packageOf = (specifier: string) =>
	specifier
		.split('/')
		.slice(0, specifier.startsWith('@') ? 2 : 1)
		.join('/');

/** Whether the sandbox has what a file imports, when its folder is all there is. */
function isWithinPackage(file: string, specifier: string): boolean {
	if (specifier.startsWith('.'))
		return !relative(folder, join(file, '..', specifier)).startsWith('..');
	if (builtinModules.includes(specifier.replace('node:', ''))) return true;
	return packageOf(specifier) in dependencies;
}

describe('the package of the sandbox', () => {
	it('imports only its own files and what its package.json names', () => {
		expect(files.length).toBeGreaterThan(30);
		const foreign = files.flatMap((file) =>
			[...readFileSync(file, 'utf8').matchAll(/ from '([^']+)'/g)]
				.map(([, specifier]) => specifier)
				.filter((specifier) => !isWithinPackage(file, specifier))
				.map((specifier) => `${relative(folder, file)}: ${specifier}`),
		);
		expect(foreign).toEqual([]);
	});

	it('names exact versions', () => {
		for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
	});
});
