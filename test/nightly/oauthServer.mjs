// A service whose access tokens come from a certified OAuth server (oidc-provider), and not from
// this project's own sandbox. It takes transactions with a token that this server issued and that
// has the scope PAYMENTS. Its argument is the secret of all its clients.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const [, , SECRET] = process.argv;
const ALL_SCOPES = 'PAYMENTS payments.* OXYGEN';

/** The clients, and how they differ from one that may request every scope. */
const CLIENTS = {
	full: {},
	expiring: {},
	'may-not-request': { scope: 'OXYGEN' },
	'other-grant': {
		grant_types: ['authorization_code'],
		response_types: ['code'],
		redirect_uris: ['https://client.example/callback'],
	},
};

const counts = { tokenRequests: 0, transactions: 0 };
/** The transaction with which the server revokes its token, counted from now. */
let revokeIn = Infinity;
const server = createServer();
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;

const provider = new Provider(issuer, {
	clients: Object.entries(CLIENTS).map(([client_id, metadata]) => ({
		client_id,
		client_secret: SECRET,
		grant_types: ['client_credentials'],
		response_types: [],
		redirect_uris: [],
		token_endpoint_auth_method: 'client_secret_post',
		scope: ALL_SCOPES,
		...metadata,
	})),
	scopes: ALL_SCOPES.split(' '),
	routes: { token: '/passport/oauth/token' },
	features: {
		clientCredentials: { enabled: true },
		devInteractions: { enabled: false },
		resourceIndicators: {
			enabled: true,
			defaultResource: () => 'urn:payments',
			getResourceServerInfo: () => ({ scope: ALL_SCOPES, accessTokenTTL: 3599 }),
		},
	},
});
const handleByProvider = provider.callback();

/** Answers as RFC 6750, section 3.1, says for each kind of token. */
async function takeTransaction(request, response) {
	const [, value = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
	const token = await provider.ClientCredentials.find(value);
	const reject = (status, error) => {
		response.writeHead(status, {
			'content-type': 'application/json',
			'www-authenticate': `Bearer error="${error}"`,
		});
		response.end(JSON.stringify({ error, error_description: `The token has ${error}` }));
	};
	if (!token?.isValid) return reject(401, 'invalid_token');
	if (!token.scopes.has('PAYMENTS')) return reject(403, 'insufficient_scope');
	if (request.method !== 'POST') return response.writeHead(405, { allow: 'POST' }).end();
	counts.transactions++;
	if (--revokeIn === 0) await token.destroy();
	response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"ACCEPTED"}');
}

server.on('request', (request, response) => {
	if (request.url === '/advance-clock') {
		const now = Date.now() + 3_600_000;
		Date.now = () => now;
		return response.end();
	}
	if (request.url.startsWith('/revoke-in/')) {
		revokeIn = Number(request.url.split('/').at(-1));
		return response.end();
	}
	if (request.url === '/counts') return response.end(JSON.stringify(counts));
	if (request.url === '/api/v1/transactions') return void takeTransaction(request, response);
	if (request.url === '/passport/oauth/token') counts.tokenRequests++;
	return handleByProvider(request, response);
});
console.log(`OAuth service: ${issuer}`);
