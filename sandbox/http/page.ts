import fastifyStatic from '@fastify/static';
import type { FastifyError, FastifyPluginAsync, onRequestHookHandler } from 'fastify';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { CONTRACT } from '../contract';
import { ServiceError } from '../state/serviceError';
import { sendServiceError } from './errorResponses';
import { unknownPath } from './unknownPaths';

const ROOT = join(__dirname, '..', 'page');

/** The browser builds that the page loads, by their names below `/vendor/`: a package, and a file in it. */
const LIBRARIES = {
	'vue.js': ['vue', 'dist/vue.runtime.esm-browser.prod.js'],
	'axios.js': ['axios', 'dist/esm/axios.min.js'],
	'oat.css': ['@knadh/oat', 'oat.min.css'],
	'oat.js': ['@knadh/oat', 'oat.min.js'],
};

/**
 * Returns the Content-Security-Policy of the page: nothing but what this server sends, because the page shows texts that
 * others sent here. Of inline scripts only the import map is allowed, which a browser accepts in no other form.
 */
async function contentSecurityPolicy(): Promise<string> {
	const html = await readFile(join(ROOT, 'index.html'), 'utf8');
	const [, importMap] = /<script type="importmap">([^<]*)<\/script>/.exec(html)!;
	const hash = createHash('sha256').update(importMap).digest('base64');
	return [
		"default-src 'none'",
		`script-src 'self' 'sha256-${hash}'`,
		"style-src 'self'",
		"img-src 'self' data:",
		"connect-src 'self'",
		"frame-ancestors 'none'",
		"base-uri 'none'",
		"form-action 'none'",
	].join('; ');
}

/**
 * Compiles a single-file component to the JavaScript module that a browser loads. Because this isn't done in the browser,
 * the page's policy does without `unsafe-eval`.
 */
async function compileComponent(path: string): Promise<string> {
	// Loaded with the first component, so that a sandbox whose page nobody opens starts without it.
	const { compileScript, parse } = await import('vue/compiler-sfc');
	const { descriptor, errors } = parse(await readFile(path, 'utf8'), { filename: path });
	if (errors.length > 0) throw errors[0];
	return compileScript(descriptor, { id: basename(path), inlineTemplate: true }).content;
}

/** The page at `/`, and the contract at `/openapi.yaml`. */
export const page: FastifyPluginAsync<{ onRequest: onRequestHookHandler }> = async (
	app,
	{ onRequest },
) => {
	const policy = await contentSecurityPolicy();
	app.addHook('onRequest', onRequest);
	app.setErrorHandler((error: FastifyError, request, reply) => {
		// What the file server calls forbidden, such as a folder, is a path that isn't in the contract.
		const isForbidden = !(error instanceof ServiceError) && error.statusCode === 403;
		sendServiceError(isForbidden ? unknownPath(request) : error, request, reply);
	});
	app.addHook('onSend', async (_request, reply) => {
		// A newer sandbox may be started under the same address at any time.
		void reply.headers({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' });
	});
	await app.register(fastifyStatic, {
		root: ROOT,
		cacheControl: false,
		setHeaders: (reply) => void reply.header('content-security-policy', policy),
	});
	for (const [name, [library, file]] of Object.entries(LIBRARIES)) {
		const folder = dirname(require.resolve(`${library}/package.json`));
		app.get(`/vendor/${name}`, async (_request, reply) => await reply.sendFile(file, folder));
	}
	const files = await readdir(ROOT, { recursive: true });
	for (const file of files.filter((name) => name.endsWith('.vue'))) {
		let code: Promise<string> | undefined;
		app.get(`/${file.replaceAll(sep, '/')}`, async (_request, reply) => {
			code ??= compileComponent(join(ROOT, file));
			return await reply.type('text/javascript; charset=utf-8').send(await code);
		});
	}
	app.get(
		'/openapi.yaml',
		async (_request, reply) =>
			await reply
				.type('application/yaml; charset=utf-8')
				.sendFile(basename(CONTRACT), dirname(CONTRACT)),
	);
};
