import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SandboxClient } from '../client';
import { post } from '../deliveries/post';
import { CliError } from './cliError';
import type { CommandInput } from './options';
import { warnOfUnknownTypes } from './trigger';

/** Adds an endpoint, prints its secret, and forwards what it gets until a signal ends it. */
export async function listen(
	{ forwardTo: target, events, secret: wanted }: CommandInput,
	sandbox: SandboxClient,
): Promise<void> {
	if (!/^https?:\/\/[^/]/.test(target) || !URL.canParse(target))
		throw new CliError(
			'Enter the URL to forward to, such as: listen --forward-to http://127.0.0.1:5678/webhook/payments',
		);
	warnOfUnknownTypes(events);
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
			const body = Buffer.concat(chunks).toString();
			void post(target, body, headers as Record<string, string>, Date.now()).then((attempt) => {
				const { event, id } = JSON.parse(body) as { event: string; id: string };
				console.log(`${event} ${id}: ${attempt.status ?? attempt.error}, ${attempt.latencyMs} ms`);
				response.writeHead(attempt.status ?? 502).end(attempt.responseBody);
			});
		});
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	const { port } = server.address() as AddressInfo;
	const { id, secret } = await sandbox.createEndpoint({
		url: `http://127.0.0.1:${port}/`,
		events,
		label: `Forwarded to ${target}`.slice(0, 100),
		...(wanted !== undefined && { secret: wanted }),
	});
	console.log(`Endpoint: ${id}`);
	console.log(`Signing secret: ${secret}`);
	console.log(`Events are forwarded to ${target} until you press Ctrl-C.`);
	await new Promise<void>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
	});
	await sandbox.deleteEndpoint(id);
	server.close();
	server.closeAllConnections();
}
