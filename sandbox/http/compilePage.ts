import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/**
 * Compiles a single-file component to a JavaScript module. Because this isn't done in the browser,
 * the page's policy does without `unsafe-eval`.
 */
async function compileComponent(path: string): Promise<string> {
	const { compileScript, parse } = await import('vue/compiler-sfc');
	const { descriptor, errors } = parse(await readFile(path, 'utf8'), { filename: path });
	if (errors.length > 0) throw errors[0];
	return compileScript(descriptor, { id: basename(path), inlineTemplate: true }).content;
}

/** Compiles the page's script and stylesheet. Each has everything, libraries included. */
export async function compilePage(): Promise<{ script: string; style: string }> {
	// The compilers are loaded when they're needed, because they take 60 MB.
	const { build } = await import('esbuild');
	const { outputFiles } = await build({
		// Where the libraries are found, whatever folder the sandbox is started in.
		absWorkingDir: join(__dirname, '..'),
		entryPoints: ['page/main.js'],
		bundle: true,
		charset: 'utf8',
		// Without them, Vue brings what only components with options and its own tools need.
		define: {
			__VUE_OPTIONS_API__: 'false',
			__VUE_PROD_DEVTOOLS__: 'false',
			__VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
			'process.env.NODE_ENV': '"production"',
		},
		format: 'esm',
		minify: true,
		outdir: 'page',
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
	const textOf = (type: string) => outputFiles.find(({ path }) => path.endsWith(type))!.text;
	return { script: textOf('.js'), style: textOf('.css') };
}
