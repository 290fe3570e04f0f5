import type { FastifyInstance, FastifyRequest } from 'fastify';
import { newId } from '../state/ids';
import type { SandboxState } from '../state/sandboxState';
import type { TokenRequest, Transaction } from '../types';

declare module 'fastify' {
	interface FastifyRequest {
		/** The exact text of a JSON body. */
		rawBody: string;
		/** The text of the response, as far as it's known. */
		responseText: string;
	}
}

const HIDDEN = '…';
const MAX_CHARACTERS = 10_000;

/** Returns headers without the text of the token. */
function headersOf({ headers }: FastifyRequest): Record<string, string> {
	const entries = Object.entries(headers).map(([name, value]): [string, string] => {
		const text = String(value);
		return [name, name === 'authorization' ? text.replace(/(?<=\s)\S.*|^\S+$/, HIDDEN) : text];
	});
	return Object.fromEntries(entries);
}

/** Hides what a JSON text has at a member whose name is that of a secret. */
const withoutSecrets = (text: string) =>
	text
		.replace(
			/("(?:client_secret|access_token|refresh_token)"\s*:\s*")(?:[^"\\]|\\.)*/g,
			`$1${HIDDEN}`,
		)
		.slice(0, MAX_CHARACTERS);

/** Returns the body of a request without a client secret. */
function bodyOf({ rawBody, body }: FastifyRequest): string {
	if (rawBody) return withoutSecrets(rawBody);
	if (typeof body !== 'object' || body === null) return '';
	const form = { ...body, ...('client_secret' in body && { client_secret: HIDDEN }) };
	return new URLSearchParams(form as Record<string, string>).toString().slice(0, MAX_CHARACTERS);
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Records requests to the service's paths, known or not, with their responses. */
export function recordRequests(app: FastifyInstance, state: SandboxState): void {
	app.decorateRequest('rawBody', '');
	app.decorateRequest('responseText', '');
	const parseJson = app.getDefaultJsonParser('error', 'error');
	app.removeContentTypeParser('application/json');
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
		request.rawBody = String(body);
		void parseJson(request, String(body), done);
	});
	app.addHook('onRequest', (request, reply, done) => {
		const [path] = request.url.split('?');
		const isOfService = path.startsWith('/api') || path.startsWith('/passport');
		if (!isOfService) return done();
		const { clock, counts } = state;
		const at = clock.now();
		const started = performance.now();
		const id = newId('req', 20);
		reply.header('x-request-id', id);
		reply.raw.once('close', () => {
			const { eventId, externalId, client_id } = (request.body ?? {}) as Partial<
				Transaction & TokenRequest
			>;
			const clientId = request.token?.clientId ?? client_id;
			const { writableFinished, statusCode } = reply.raw;
			const isOfTransaction =
				request.method === 'POST' &&
				path === '/api/v1/transactions' &&
				// The test of n8n's credential sends none.
				request.headers.authorization !== undefined;
			const isRefused = statusCode >= 400 && !request.isRecorded;
			const failed = isOfTransaction && (isRefused || !writableFinished);
			if (failed) counts.requests.failed++;
			state.requests.add(id, {
				id,
				at,
				method: request.method,
				path,
				headers: headersOf(request),
				body: bodyOf(request),
				status: writableFinished ? statusCode : null,
				failed,
				responseBody: withoutSecrets(request.responseText),
				latencyMs: Math.round((performance.now() - started) * 10) / 10,
				...(textOf(clientId) && { clientId }),
				...(textOf(eventId) && { eventId }),
				...(textOf(externalId) && { externalId }),
			});
		});
		done();
	});
	app.addHook('onSend', (request, _reply, payload, done) => {
		if (typeof payload === 'string') request.responseText = payload;
		done(null, payload);
	});
}
