import type { SandboxClient } from '../client';
import { post } from '../deliveries/post';
import { CliError } from './cliError';
import type { CommandInput } from './options';
import { receive, type Received } from './receive';
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
	const forward = async ({ headers: received, rawBody }: Received) => {
		const { host: _, connection: __, 'content-length': ___, ...headers } = received;
		const body = rawBody.toString();
		const attempt = await post(target, body, headers as Record<string, string>, Date.now());
		const { event, id } = JSON.parse(body) as { event: string; id: string };
		console.log(`${event} ${id}: ${attempt.status ?? attempt.error}, ${attempt.latencyMs} ms`);
		return { status: attempt.status ?? 502, body: attempt.responseBody };
	};
	const { port, stop } = await receive(forward);
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
	stop();
}
