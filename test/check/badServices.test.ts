import type { ServerResponse } from 'node:http';

import { Check } from '../../check/Check';
import { markdownPage, terminalPage } from '../../check/report';
import { resultOf } from '../../check/result';
import { runCheck } from '../../check/runCheck';
import { readRequest, startHttpServer, type ReceivedRequest } from '../support/servers/httpServer';
import { CLIENT, setupFor } from './services';

/* Whatever answers at the address: the check says what is wrong, sends no secret on, and ends. */

type Respond = (response: ServerResponse, request: ReceivedRequest) => void;

const page = '<!doctype html><html><body>Please sign in to the network</body></html>';
const json = (response: ServerResponse, body: unknown, status = 200) =>
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const BAD: Array<[string, Respond]> = [
	['never answers', () => {}],
	['closes the connection', (response) => response.destroy()],
	[
		'is a web page',
		(response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page),
	],
	['redirects', (response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end()],
	['answers 200 without a body to everything', (response) => response.writeHead(200).end()],
	['answers 200 and ok to everything', (response) => json(response, { ok: true })],
	[
		'answers with broken JSON',
		(response) =>
			response.writeHead(200, { 'content-type': 'application/json' }).end('{"status": '),
	],
	[
		'breaks off in the middle',
		(response) => {
			response.writeHead(200, { 'content-length': 1000 });
			response.write('{');
			setTimeout(() => response.destroy(), 20);
		},
	],
	[
		'sends 11 MB',
		(response) =>
			response
				.writeHead(200, { 'content-type': 'application/json' })
				.end(JSON.stringify({ text: 'x'.repeat(11_000_000) })),
	],
	[
		'sends one byte after the other',
		(response) => {
			response.writeHead(200);
			const timer = setInterval(() => response.write(' '), 50);
			response.on('close', () => clearInterval(timer));
		},
	],
	['is not found', (response) => json(response, { message: 'no' }, 404)],
	['repeats the secret', (response, { body }) => json(response, { message: body }, 500)],
];

async function checkAt(respond: Respond, isTokenGood: boolean) {
	const token = {
		access_token: 'a-token-that-is-long-enough',
		token_type: 'bearer',
		expires_in: 60,
	};
	const server = await startHttpServer(async (incoming, response) => {
		const request = await readRequest(incoming);
		const isToken = request.url === '/passport/oauth/token';
		if (isToken && isTokenGood) {
			const isClient = request.body.includes(CLIENT.clientSecret);
			return void json(
				response,
				isClient ? token : { error: 'invalid_client' },
				isClient ? 200 : 401,
			);
		}
		respond(response, request);
	});
	const check = new Check(setupFor(server.url, { timeoutMs: 400 }));
	await runCheck(check);
	await server.stop();
	const result = resultOf({ check });
	return {
		verdict: result.verdict,
		text: terminalPage(result) + markdownPage(result, check) + JSON.stringify(result),
		token,
	};
}

describe.each([
	['the token endpoint', false],
	['the API', true],
])('%s', (_where, isTokenGood) => {
	test.concurrent.each(BAD)(
		'%s',
		async (_name, respond) => {
			const { verdict, text, token } = await checkAt(respond, isTokenGood);
			expect(['doesntFit', 'notKnown']).toContain(verdict.name);
			expect(verdict.reasons.length + verdict.open.length).toBeGreaterThan(0);
			expect(text).not.toContain(CLIENT.clientSecret);
			expect(text).not.toContain(token.access_token);
		},
		60_000,
	);
});
