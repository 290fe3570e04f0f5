import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync, onRequestHookHandler } from 'fastify';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CONTRACT } from '../contract';
import { pageScript } from './pageScript';

const ROOT = join(__dirname, '..', 'page');
const OAT = dirname(require.resolve('@knadh/oat/package.json'));

/** What the page loads besides its script, by path: the folder, and the file in it. */
const FILES = {
	'/icon.svg': [ROOT, 'icon.svg'],
	'/style.css': [ROOT, 'style.css'],
	'/vendor/oat.css': [OAT, 'oat.min.css'],
	'/vendor/oat.js': [OAT, 'oat.min.js'],
};

/** Nothing but what this server sends, because the page shows texts that others sent here. */
const CONTENT_SECURITY_POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' data:",
	"connect-src 'self'",
	"frame-ancestors 'none'",
	"base-uri 'none'",
	"form-action 'none'",
].join('; ');

/** The page at `/`, and the contract at `/openapi.yaml`. */
export const page: FastifyPluginAsync<{ onRequest: onRequestHookHandler }> = async (
	app,
	{ onRequest },
) => {
	const { script, version } = await pageScript();
	const html = (await readFile(join(ROOT, 'index.html'), 'utf8')).replace(
		'/page.js',
		`/page.js?${version}`,
	);
	app.addHook('onRequest', onRequest);
	app.addHook('onSend', async (_request, reply) => {
		void reply.header('x-content-type-options', 'nosniff');
		// A newer sandbox may be started under the same address at any time.
		if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-cache');
	});
	await app.register(fastifyStatic, { root: ROOT, serve: false, cacheControl: false });
	app.get(
		'/',
		async (_request, reply) =>
			await reply
				.type('text/html; charset=utf-8')
				.header('content-security-policy', CONTENT_SECURITY_POLICY)
				.send(html),
	);
	app.get('/page.js', async ({ url }, reply) => {
		// Its address changes with it, so a browser never asks for the same script again.
		if (url.endsWith(version))
			void reply.header('cache-control', 'public, max-age=31536000, immutable');
		return await reply.type('text/javascript; charset=utf-8').send(script);
	});
	for (const [path, [folder, file]] of Object.entries(FILES))
		app.get(path, async (_request, reply) => await reply.sendFile(file, folder));
	app.get(
		'/openapi.yaml',
		async (_request, reply) =>
			await reply
				.type('application/yaml; charset=utf-8')
				.sendFile(basename(CONTRACT), dirname(CONTRACT)),
	);
};
