import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync, onRequestHookHandler } from 'fastify';
import { basename, dirname, join } from 'node:path';
import { CONTRACT } from '../contract';

/** Nothing but what this server sends: the page shows texts that others sent here. */
const POLICY =
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The page at `/`, as the files lie there, and the contract at `/openapi.yaml`. */
export const page: FastifyPluginAsync<{ onRequest: onRequestHookHandler }> = async (
	app,
	{ onRequest },
) => {
	app.addHook('onRequest', onRequest);
	app.addHook('onSend', async (_request, reply) => {
		// A newer sandbox may be started under the same address at any time.
		void reply.headers({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' });
	});
	await app.register(fastifyStatic, {
		root: join(__dirname, '..', 'page'),
		cacheControl: false,
		setHeaders: (reply) => void reply.header('content-security-policy', POLICY),
	});
	app.get(
		'/openapi.yaml',
		async (_request, reply) =>
			await reply
				.type('application/yaml; charset=utf-8')
				.sendFile(basename(CONTRACT), dirname(CONTRACT)),
	);
};
