import type { FastifyPluginAsync, onRequestHookHandler } from 'fastify';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONTRACT } from '../contract';
import type { SandboxState } from '../state/sandboxState';
import { compilePage } from './compilePage';
import { overview, vocabulary } from './operations/control';

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

let compiled: Promise<{ script: string; style: string }> | undefined;
/** Compiles the page when somebody opens it; most sandboxes of tests have no visitor. */
const pageFiles = async () => await (compiled ??= compilePage());

/** The page at `/`, and the contract at `/openapi.yaml`. */
export const page: FastifyPluginAsync<{
	state: SandboxState;
	onRequest: onRequestHookHandler;
}> = async (app, { state, onRequest }) => {
	const html = await readFile(join(ROOT, 'index.html'), 'utf8');
	const files: Record<string, [type: string, read: () => Promise<string>]> = {
		'/page.js': ['text/javascript', async () => (await pageFiles()).script],
		'/page.css': ['text/css', async () => (await pageFiles()).style],
		'/icon.svg': ['image/svg+xml', async () => await readFile(join(ROOT, 'icon.svg'), 'utf8')],
		'/openapi.yaml': ['application/yaml', async () => await readFile(CONTRACT, 'utf8')],
	};
	app.addHook('onRequest', onRequest);
	app.addHook('onSend', async (_request, reply) => {
		// A newer sandbox may be started under the same address at any time.
		void reply.headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
	});
	app.get('/', async (_request, reply) => {
		// With what the first view shows, so that it needs no other request.
		const data = toAttribute({ ...overview(state), vocabulary });
		return await reply
			.type('text/html; charset=utf-8')
			.header('content-security-policy', CONTENT_SECURITY_POLICY)
			.send(html.replace('data-sandbox', () => `data-sandbox="${data}"`));
	});
	for (const [path, [type, read]] of Object.entries(files))
		app.get(
			path,
			async (_request, reply) => await reply.type(`${type}; charset=utf-8`).send(await read()),
		);
};
