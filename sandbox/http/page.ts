import type { FastifyPluginAsync, onRequestHookHandler } from 'fastify';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONTRACT } from '../contract';
import { compilePage } from './compilePage';

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

let compiled: Promise<{ script: string; style: string }> | undefined;
/** Compiles the page when somebody opens it; most sandboxes of tests have no visitor. */
const pageFiles = async () => await (compiled ??= compilePage());

/** The page at `/`, and the contract at `/openapi.yaml`. */
export const page: FastifyPluginAsync<{ onRequest: onRequestHookHandler }> = async (
	app,
	{ onRequest },
) => {
	const fileOf = (name: string) => async () => await readFile(join(ROOT, name), 'utf8');
	const files: Record<string, [type: string, read: () => Promise<string>]> = {
		'/': ['text/html', fileOf('index.html')],
		'/page.js': ['text/javascript', async () => (await pageFiles()).script],
		'/page.css': ['text/css', async () => (await pageFiles()).style],
		'/icon.svg': ['image/svg+xml', fileOf('icon.svg')],
		'/openapi.yaml': ['application/yaml', async () => await readFile(CONTRACT, 'utf8')],
	};
	app.addHook('onRequest', onRequest);
	app.addHook('onSend', async (_request, reply) => {
		// A newer sandbox may be started under the same address at any time.
		void reply.headers({
			'x-content-type-options': 'nosniff',
			'cache-control': 'no-store',
			'content-security-policy': CONTENT_SECURITY_POLICY,
		});
	});
	for (const [path, [type, read]] of Object.entries(files))
		app.get(
			path,
			async (_request, reply) => await reply.type(`${type}; charset=utf-8`).send(await read()),
		);
};
