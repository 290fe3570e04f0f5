import type { IDataObject } from 'n8n-workflow';

import { PaymentsApi } from '../../credentials/PaymentsApi.credentials';
import { Payments } from '../../nodes/Payments/Payments.node';
import { Service } from '../../check/Service';
import { verdictOf } from '../../check/verdict';
import { rows } from '../support/builders/transactions';
import { EngineCredentials, runNode } from '../support/engine/harness';
import { readRun } from '../support/engine/payments';
import { testCredential } from '../support/engine/credentialTester';
import {
	checkService,
	repeatsWith,
	SECRET,
	setupOf,
	startCheckedService,
	type Reply,
	type ServiceOptions,
} from '../support/servers/checkedService';
import { DescribedService, REFUSED_AMOUNT } from '../support/servers/describedService';
import { startFakeService } from '../support/servers/fakeService';
import { read } from '../support/sourceTexts';
import { CODES, KEY, SCOPE, SERVICES } from './publicServices';

/* With what the check advises, the node reports the outcomes on which the verdict stands. */

/** Runs the node with one row, in an execution of its own. */
async function itemOf(credentials: EngineCredentials, row: IDataObject): Promise<IDataObject> {
	const { finished } = runNode({
		node: {
			type: 'n8n-nodes-payments.payments',
			parameters: {
				...{ resource: 'transaction', operation: 'create', specifyTransaction: 'item' },
				options: { maxRetryTime: 1 },
			},
			credentials: { paymentsApi: { id: 'c1', name: 'Payments' } },
			onError: 'continueRegularOutput',
		},
		nodeType: new Payments(),
		items: [{ json: row, pairedItem: { item: 0 } }],
		credentials,
	});
	return readRun(await finished).json[0];
}

const CHECKED = Object.entries(SERVICES).map(([name, service]) => ({
	...{ name, service },
}));

test.each(CHECKED)('$name', async ({ service }) => {
	const requestedScope = service.scope?.[0];
	const checked = new DescribedService(service);
	const made = await checkService(checked.answers, { ...checked.options, requestedScope });
	// What can't be created has no outcomes.
	if (!made.asked) return expect(verdictOf(made.findings)).toBe('doesntFit');
	const { first, same, otherAmount, invalid, corrected } = made.asked;
	const promised = [first, same, otherAmount, invalid, corrected].map(({ says }) => says.outcome);

	const set = new Map(
		made.findings.flatMap((one) => (one.kind === 'set' ? [[one.field, one.value] as const] : [])),
	);
	const tried = new DescribedService(service);
	const server = await startCheckedService(tried.answers, tried.options);
	try {
		const credentials = new EngineCredentials({ paymentsApi: new PaymentsApi() });
		await credentials.seed('c1', 'paymentsApi', {
			...{ authUrl: server.url, clientId: 'c', clientSecret: SECRET },
			recordedCodes: set.get(CODES) ?? '',
			sendIdempotencyKey: set.get(KEY) !== 'off',
			scope: set.get(SCOPE) ?? 'PAYMENTS',
		});
		const now = Date.now();
		const [row, other] = rows(2, () => ({ externalCreatedAt: now, receivedAt: now }));
		const sent = [
			...[row, row, { ...row, amount: '2.50' }],
			...[{ ...other, amount: REFUSED_AMOUNT }, other],
		];
		const outcomes: unknown[] = [];
		for (const one of sent) outcomes.push((await itemOf(credentials, one)).outcome);
		expect(outcomes).toEqual(promised);
	} finally {
		await server.stop();
	}
});

/** A token endpoint that refuses this client, or scope. */
const noToken = (status: number, error: string): ServiceOptions => ({
	token: () => [status, { error, error_description: 'See the dashboard' }],
});
/** A service that asks for another scope, as RFC 6750, section 3.1, says. */
const otherScope = (status: number, body?: unknown): ServiceOptions => ({
	scope: [
		'OXYGEN',
		[
			...[status, body],
			{ 'www-authenticate': 'Bearer error="insufficient_scope", scope="OXYGEN"' },
		] as unknown as Reply,
	],
});

test.each<[string, ServiceOptions, RegExp]>([
	['access_denied, of Auth0', noToken(403, 'access_denied'), /which rights the client lacks/],
	[
		'an audience, of RFC 8707',
		noToken(400, 'invalid_target'),
		/for which interface the client is registered/,
	],
	[
		'unauthorized_client',
		noToken(400, 'unauthorized_client'),
		/Check the client in the Developers/,
	],
	['invalid_scope', noToken(400, 'invalid_scope'), /Select another Scope/],
	['403 for another scope', otherScope(403), /Select the Scope "OXYGEN"/],
	[
		'403 with words, for another scope',
		otherScope(403, { message: 'No' }),
		/Select the Scope "OXYGEN"/,
	],
])(
	"the check, the credential's test, and the item name one cause: %s",
	async (_, options, cause) => {
		const answers = repeatsWith(409, { errorCode: 'EVENT_ALREADY_EXISTS' });
		await expect(checkService(answers, options)).rejects.toThrow(cause);
		const server = await startCheckedService(answers, options);
		try {
			const data = {
				...{ authUrl: server.url, baseUrl: '', clientId: 'c', clientSecret: SECRET },
				scope: 'PAYMENTS',
			};
			expect((await testCredential(data)).message).toMatch(cause);
			const credentials = new EngineCredentials({ paymentsApi: new PaymentsApi() });
			await credentials.seed('c1', 'paymentsApi', data);
			const { fix } = await itemOf(credentials, rows(1)[0]);
			expect((fix as string).replaceAll('\u00a0', ' ')).toMatch(cause);
		} finally {
			await server.stop();
		}
	},
);

/** What the HTTP client adds. */
const OF_CLIENT = ['accept-encoding', 'connection', 'content-length', 'host'];

test('the check sends the headers of the node, which the interface lists, and says who it is', async () => {
	const service = await startFakeService();
	try {
		const setup = setupOf(service.url);
		const checked = new Service(setup);
		const transaction = checked.newTransaction();
		await checked.send(transaction);
		const credentials = new EngineCredentials({ paymentsApi: new PaymentsApi() });
		await credentials.seed('c1', 'paymentsApi', setup.credential);
		await itemOf(credentials, { ...rows(1)[0], eventId: transaction.eventId });
		const [byCheck, byNode] = service.received
			.filter(({ url }) => url === '/api/v1/transactions')
			.map(({ headers }) =>
				Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CLIENT.includes(name))),
			);
		const [line] = /^Each request to .*$/m.exec(read('docs/interface.md'))!;
		const listed = [...line.matchAll(/`([A-Z][A-Za-z-]+)`/g)].map(([, name]) => name.toLowerCase());
		expect(Object.keys(byNode).sort()).toEqual(listed.sort());
		expect([byNode['content-type'], byNode.accept]).toEqual(Array(2).fill('application/json'));
		const [ofNode, ofCheck] = [byNode, byCheck].map((headers) => headers['user-agent'] as string);
		expect(byCheck).toEqual({ ...byNode, 'user-agent': ofCheck });
		expect(ofCheck).toBe(ofNode.replace('/', '-check/'));
		for (const agent of [ofNode, ofCheck]) expect(line).toContain(`\`${agent}\``);
	} finally {
		await service.stop();
	}
});
