import { document, newValidator } from '../../sandbox/contract';
import { transaction } from '../support/builders/transactions';
import { askToken, http, sendTransaction } from '../support/servers/sandboxCalls';
import { sharedSandbox, type SharedSandbox } from '../support/servers/sharedSandbox';

/* Every operation answers as the contract says, with records of every kind. */

interface Operation {
	requestBody?: object;
	responses: Record<string, { content?: Record<string, unknown> }>;
}
const paths = Object.entries(document.paths as Record<string, Record<string, Operation>>);
const validator = newValidator({ strictSchema: false, validateSchema: false }).addSchema(
	document,
	'contract',
);

let sandbox: SharedSandbox;
beforeAll(async () => {
	sandbox = await sharedSandbox();
	const { client, url } = sandbox;
	await client.createEndpoint({ url: 'http://127.0.0.1:9/hook', events: ['*'] });
	const { data } = await askToken(url, await client.createClient());
	await sendTransaction(url, data.access_token, transaction(1));
	await client.createPayment({ amount: '1', currency: 'EUR' });
	await client.emitEvent({ event: 'PAYEE.CREATED' });
});

/** Fills in the ID of the newest record. */
async function withKnownId(path: string): Promise<string> {
	if (path === '/sandbox/search') return `${path}?id=${transaction(1).eventId}`;
	if (!path.includes('{id}')) return path;
	const [list] = path.split('/{id}');
	const { data } = await http.get<{ items: Array<Record<string, string>> }>(sandbox.url + list);
	const [{ id, clientId }] = Array.isArray(data) ? (data as typeof data.items) : data.items;
	return path.replace('{id}', id ?? clientId);
}

const readable = paths.filter(
	([, { get }]) => get?.responses['200'].content?.['application/json'] !== undefined,
);
test.each(readable)('GET %s', async (path) => {
	const { status, data } = await http.get<unknown>(sandbox.url + (await withKnownId(path)));
	const pointer = `#/paths/${path.replaceAll('/', '~1')}/get/responses/200/content/application~1json/schema`;
	const validate = validator.getSchema(`contract${pointer}`)!;
	expect([status, validate(data), validate.errors]).toEqual([200, true, null]);
});

const writable = paths.flatMap(([path, operations]) =>
	Object.keys(operations)
		.filter((method) => operations[method].requestBody)
		.map((method) => [method.toUpperCase(), path]),
);
test.each(writable)('%s %s refuses what is no JSON object', async (method, path) => {
	for (const data of ['{', '[1,]', '"', 'null', '{"__proto__":1}']) {
		const headers = { 'content-type': 'application/json' };
		const url = sandbox.url + path.replace('{id}', 'nowhere');
		const { status } = await http.request({ method, url, data, headers });
		expect([data, Math.floor(status / 100)]).toEqual([data, 4]);
	}
});
