import type { IDataObject } from 'n8n-workflow';

import { PaymentsApi } from '../../credentials/PaymentsApi.credentials';
import { Payments } from '../../nodes/Payments/Payments.node';
import { verdictOf } from '../../check/verdict';
import { rows } from '../support/builders/transactions';
import { EngineCredentials, runNode } from '../support/engine/harness';
import { readRun } from '../support/engine/payments';
import { checkService, SECRET, startCheckedService } from '../support/servers/checkedService';
import { DescribedService, REFUSED_AMOUNT } from '../support/servers/describedService';
import { CODES, KEY, SCOPE, SERVICES } from './publicServices';

/* With what the check advises, the node reports the outcomes on which the verdict stands. */

/** Runs the node with one row, in an execution of its own. */
async function outcomeOf(credentials: EngineCredentials, row: IDataObject): Promise<unknown> {
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
	return readRun(await finished).json[0].outcome;
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
		for (const one of sent) outcomes.push(await outcomeOf(credentials, one));
		expect(outcomes).toEqual(promised);
	} finally {
		await server.stop();
	}
});
