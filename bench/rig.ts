import { readFileSync } from 'node:fs';
import type { INode } from 'n8n-workflow';
import type { Credential, WorkflowJson } from '../host/n8n/client';
import { createPaymentsApi } from '../host/n8n/credentials';
import { isOver, type ExecutionSummary } from '../host/n8n/executions';
import { startN8n, type N8n } from '../host/n8n/startN8n';
import { launchSandbox, type Sandbox } from '../host/sandbox';
import { waitUntil } from '../host/waitUntil';
import type { Faults } from '../sandbox/types';
import { CERTIFICATE, makeCertificate } from './distance';

const MAX_WAIT = { timeoutMs: 15 * 60_000, intervalMs: 100 };
/** The service does nothing with a transaction, so that its own work isn't measured along. */
const NO_PROCESSING = { processingMs: 24 * 60 * 60_000 };

/** A node that sends, and the type of its credential. */
export type Sender = Pick<INode, 'type' | 'typeVersion' | 'parameters'> & { credential: string };

/** A real n8n as it comes, with the packed nodes, and a sandbox for it to talk to. */
export class Rig {
	private constructor(
		private readonly n8n: N8n,
		readonly sandbox: Sandbox,
	) {}

	static async start(tarball: string): Promise<Rig> {
		makeCertificate();
		const env = { NODE_EXTRA_CA_CERTS: CERTIFICATE };
		const [n8n, sandbox] = await Promise.all([startN8n({ tarball, env }), launchSandbox()]);
		await n8n.client.setUpOwner();
		return new Rig(n8n, sandbox);
	}

	async stop(): Promise<void> {
		await Promise.all([this.n8n.stop(), this.sandbox.stop()]);
	}

	/**
	 * Creates a client of the service, of which n8n has no access token yet.
	 *
	 * @param url where n8n reaches the service
	 */
	async signUp(url = this.sandbox.url): Promise<Credential[]> {
		const { clientId, clientSecret } = await this.sandbox.client.createClient();
		return [
			await createPaymentsApi(this.n8n.client, { url, clientId, clientSecret }),
			await this.n8n.client.createCredential('OAuth2', 'oAuth2Api', {
				grantType: 'clientCredentials',
				accessTokenUrl: `${url}/passport/oauth/token`,
				clientId,
				clientSecret,
				scope: 'PAYMENTS',
				authentication: 'body',
			}),
		];
	}

	/**
	 * Sends `items` transactions to a service that knows none of them.
	 *
	 * @throws when not exactly these are created
	 */
	async send(
		sender: Sender,
		items: number,
		credentials: Credential[],
		faults: Faults = {},
	): Promise<ExecutionSummary> {
		const { client } = this.n8n;
		const { client: service } = this.sandbox;
		await service.reset();
		await service.setFaults({ ...NO_PROCESSING, ...faults });
		const workflow = await client.importWorkflow(workflowOf(sender, items), credentials);
		await client.start(workflow, 'Start');
		// n8n is asked only when the service has everything, because every question costs it time.
		const created = async () => (await service.getCounts()).transactions.created;
		const hasAll = async () => (await created()) >= items;
		await waitUntil(`the service has ${items} transactions`, hasAll, MAX_WAIT);
		const whenOver = async () => {
			// With tens of thousands of items, n8n can be too busy to answer.
			const list = await client.executions(workflow, 1).catch(() => ({ results: [] }));
			return list.results.find(isOver);
		};
		const execution = await waitUntil('the execution is over', whenOver, MAX_WAIT);
		if ((await created()) === items) return execution;
		throw new Error(`More than the ${items} transactions that were sent are created.`);
	}

	/** Returns the node's own execution time in ms. */
	async timeOf({ id }: ExecutionSummary): Promise<number> {
		const { data } = await this.n8n.client.execution(id);
		return data.resultData.runData.Sender[0].executionTime;
	}

	/** The most memory that n8n's process ever held, in MiB, by Linux' own books. */
	peakMiB(): number {
		const status = readFileSync(`/proc/${this.n8n.process.child.pid}/status`, 'utf8');
		const peakKiB = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
		return Math.round(peakKiB / 1024);
	}
}

/** A whole transaction (docs/interface.md, 2.1), without its IDs. */
const SAMPLE = {
	externalStatus: null,
	reference: 'Invoice 2025-0042',
	amount: '2501.00',
	currency: 'EUR',
	baseAmount: '2501.00',
	paymentScheme: 'SCT',
	sender: { externalEntityId: 'pyr_1', externalPaymentChannelId: 'pyr_1', countryCode: 'BE' },
	recipient: { externalEntityId: 'eus_1', externalPaymentChannelId: 'vac_1', countryCode: 'DK' },
	externalCreatedAt: 1748432324513,
	receivedAt: 1748432324728,
};

/** A Code node makes the items for the node that is measured. */
function workflowOf({ credential, ...sender }: Sender, items: number): WorkflowJson {
	const jsCode = `const sample = ${JSON.stringify(SAMPLE)};
return Array.from({ length: ${items} }, (_, index) => ({
	json: { eventId: 'evt_' + index, externalId: 'pmt_' + index, ...sample },
}));`;
	const nodes = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		{ name: 'Items', type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } },
		{ name: 'Sender', ...sender, credentials: { [credential]: { id: '', name: '' } } },
	];
	const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
	return {
		name: 'Benchmark',
		nodes: nodes.map((node) => ({ id: node.name, position: [0, 0], ...node })),
		connections: { Start: to('Items'), Items: to('Sender') },
	};
}
