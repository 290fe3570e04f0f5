import type { FastifyPluginAsync, onRequestHookHandler } from 'fastify';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONTRACT } from '../contract';
import type { SandboxState } from '../state/sandboxState';
import { greeting, vocabulary } from './operations/state';
import { pageFiles } from './pageFiles';

const ROOT = join(__dirname, '..', 'page');

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

/** A value as JSON in an attribute of HTML. */
const toAttribute = (value: object) =>
	JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** The page at `/`, and the contract at `/openapi.yaml`. */
export const page: FastifyPluginAsync<{
	state: SandboxState;
	onRequest: onRequestHookHandler;
}> = async (app, { state, onRequest }) => {
	const { script, style, version } = await pageFiles();
	const template = await readFile(join(ROOT, 'index.html'), 'utf8');
	const html = template.replace(/\/page\.(css|js)/g, (path) => `${path}?${version}`);
	const files = {
		'/page.js': ['text/javascript; charset=utf-8', script],
		'/page.css': ['text/css; charset=utf-8', style],
		'/icon.svg': ['image/svg+xml', await readFile(join(ROOT, 'icon.svg'), 'utf8')],
	};
	app.addHook('onRequest', onRequest);
	app.addHook('onSend', async (_request, reply) => {
		void reply.header('x-content-type-options', 'nosniff');
		// A newer sandbox may be started under the same address at any time.
		if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-cache');
	});
	app.get('/', async (_request, reply) => {
		// With what the first view shows, so that it needs no other request.
		const data = toAttribute({ ...greeting(state), vocabulary });
		return await reply
			.type('text/html; charset=utf-8')
			.header('content-security-policy', CONTENT_SECURITY_POLICY)
			.header('cache-control', 'no-store')
			.send(html.replace('data-sandbox', () => `data-sandbox="${data}"`));
	});
	for (const [path, [type, text]] of Object.entries(files))
		app.get(path, async ({ url }, reply) => {
			// This address changes with the file, so a browser never asks for the same one again.
			if (url.endsWith(version))
				void reply.header('cache-control', 'public, max-age=31536000, immutable');
			return await reply.type(type).send(text);
		});
	app.get(
		'/openapi.yaml',
		async (_request, reply) =>
			await reply.type('application/yaml; charset=utf-8').send(await readFile(CONTRACT)),
	);
};
