import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { compileScript, parse } from 'vue/compiler-sfc';

/**
 * Compiles a single-file component to a JavaScript module. Because this isn't done in the browser,
 * the page's policy does without `unsafe-eval`.
 */
async function compileComponent(path: string): Promise<string> {
	const { descriptor, errors } = parse(await readFile(path, 'utf8'), { filename: path });
	if (errors.length > 0) throw errors[0];
	return compileScript(descriptor, { id: basename(path), inlineTemplate: true }).content;
}

/** Prints the page's modules, components, and libraries as one script: one wait in the browser. */
async function main(): Promise<void> {
	const { outputFiles } = await build({
		// Where the libraries are found, whatever folder the sandbox is started in.
		absWorkingDir: join(__dirname, '..'),
		entryPoints: ['page/main.js'],
		alias: { vue: 'vue/dist/vue.runtime.esm-browser.prod.js' },
		bundle: true,
		charset: 'utf8',
		format: 'esm',
		minify: true,
		target: 'es2022',
		write: false,
		plugins: [
			{
				name: 'vue',
				setup: (builder) =>
					builder.onLoad({ filter: /\.vue$/ }, async ({ path }) => ({
						contents: await compileComponent(path),
					})),
			},
		],
	});
	process.stdout.write(outputFiles[0].text);
}

void main();
