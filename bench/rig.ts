import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { INode } from 'n8n-workflow';
import type { Credential, StoredWorkflow } from '../host/n8n/client';
import { isOver, type ExecutionSummary } from '../host/n8n/executions';
import { startN8n, type N8n } from '../host/n8n/startN8n';
import { createPaymentsApi } from '../host/n8n/credentials';
import { launchSandbox, type Sandbox } from '../host/sandbox';
import type { Faults } from '../sandbox/types';
import { openConnections, type Connection, type Connections } from './connection/connections';
import { makeItems } from './sampleItems';
import { SUBJECTS, type Subject } from './subjects';

const TIMEOUT_MS = 15 * 60_000;
/** n8n is asked rarely until the service has everything, because every question costs it time. */
const RARELY_MS = 5000;
/** The service does nothing with a transaction, so that its own work isn't measured along. */
const NO_PROCESSING = { processingMs: 24 * 60 * 60_000 };

const main = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
const node = (name: string, more: Omit<INode, 'id' | 'name' | 'position'>): INode => ({
	id: name,
	name,
	position: [0, 0],
	...more,
});

/** A real n8n as it comes, with the packed nodes, and a sandbox for it to talk to. */
export class Rig {
	private readonly credentials = new Map<Connection, Credential[]>();

	private readonly workflows = new Map<string, StoredWorkflow>();

	private constructor(
		private readonly n8n: N8n,
		private readonly sandbox: Sandbox,
		private readonly connections: Connections,
	) {}

	static async start(tarball: string): Promise<Rig> {
		const sandbox = await launchSandbox({ args: ['--host', '0.0.0.0'] });
		const connections = await openConnections(sandbox.url);
		const env = { NODE_EXTRA_CA_CERTS: connections.certificate };
		const n8n = await startN8n({ tarball, env });
		await n8n.client.setUpOwner();
		const rig = new Rig(n8n, sandbox, connections);
		await rig.signUp();
		return rig;
	}

	async stop(): Promise<void> {
		await Promise.all([this.n8n.stop(), this.sandbox.stop(), this.connections.close()]);
	}

	/** Creates a client of the service, of which n8n has no access token yet. */
	async signUp(): Promise<void> {
		const { clientId, clientSecret } = await this.sandbox.client.createClient({
			name: 'benchmark',
		});
		this.workflows.clear();
		for (const [connection, url] of Object.entries(this.connections.urls)) {
			this.credentials.set(connection as Connection, [
				await createPaymentsApi(this.n8n.client, { url, clientId, clientSecret }),
				await this.n8n.client.createCredential('OAuth2', 'oAuth2Api', {
					grantType: 'clientCredentials',
					accessTokenUrl: `${url}/passport/oauth/token`,
					clientId,
					clientSecret,
					scope: 'PAYMENTS',
					authentication: 'body',
				}),
			]);
		}
	}

	/**
	 * Sends `items` transactions to a service that knows none of them.
	 *
	 * @returns the node's own execution time in ms, and how many requests got 429
	 * @throws when not every transaction was created
	 */
	async measure(
		subject: Subject,
		items: number,
		connection: Connection = 'http',
		faults: Faults = {},
	): Promise<{ ms: number; rejected: number }> {
		const { id } = await this.run(subject, items, connection, faults);
		const { data } = await this.n8n.client.execution(id);
		const [{ executionTime: ms }] = data.resultData.runData[subject];
		return { ms, rejected: await this.check(subject, items) };
	}

	/**
	 * As `measure`, for so many items that their data isn't fetched from n8n, which would cost it
	 * memory.
	 *
	 * @returns the time of the whole execution in ms, and the most memory that n8n's process ever
	 *   held, in MiB, by Linux' own books
	 */
	async measureMemory(subject: Subject, items: number): Promise<{ ms: number; peakMiB: number }> {
		const { startedAt, stoppedAt } = await this.run(subject, items, 'http', {});
		const status = readFileSync(`/proc/${this.n8n.process.child.pid}/status`, 'utf8');
		const peakKiB = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
		await this.check(subject, items);
		const ms = Date.parse(stoppedAt ?? '') - Date.parse(startedAt);
		return { ms, peakMiB: Math.round(peakKiB / 1024) };
	}

	private async run(
		subject: Subject,
		items: number,
		connection: Connection,
		faults: Faults,
	): Promise<ExecutionSummary> {
		await this.sandbox.client.reset();
		await this.sandbox.client.setFaults({ ...NO_PROCESSING, ...faults });
		const workflow = await this.workflowFor(subject, items, connection);
		const id = await this.n8n.client.start(workflow, 'Start');
		const start = Date.now();
		for (let asked = start; ; await wait(100)) {
			const { created } = (await this.sandbox.client.getCounts()).transactions;
			if (created < items && Date.now() - asked < RARELY_MS) continue;
			asked = Date.now();
			// With tens of thousands of items, n8n can be too busy to answer.
			const [last] = await this.n8n.client.executions(workflow, 1).then(
				({ results }) => results,
				() => [],
			);
			if (last?.id === id && isOver(last)) return last;
			if (asked - start > TIMEOUT_MS)
				throw new Error(
					`${subject}: ${items} items took more than ${TIMEOUT_MS / 60_000} minutes.`,
				);
		}
	}

	private async check(subject: string, items: number): Promise<number> {
		const { created, responses } = (await this.sandbox.client.getCounts()).transactions;
		if (created !== items)
			throw new Error(
				`${subject} was to create ${items} transactions; the service counts ${created}. Responses: ${JSON.stringify(responses)}.`,
			);
		return responses['429'] ?? 0;
	}

	private async workflowFor(
		subject: Subject,
		items: number,
		connection: Connection,
	): Promise<StoredWorkflow> {
		const key = `${subject}, ${items} items, ${connection}`;
		const known = this.workflows.get(key);
		if (known) return known;
		const { credential, ...measured } = SUBJECTS[subject](this.connections.urls[connection]);
		const credentials = { [credential]: { id: '', name: '' } };
		const code = { jsCode: makeItems(items) };
		const nodes = [
			node('Start', { type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} }),
			node('Items', { type: 'n8n-nodes-base.code', typeVersion: 2, parameters: code }),
			node(subject, { ...measured, credentials }),
		];
		const connections = { Start: main('Items'), Items: main(subject) };
		const workflow = await this.n8n.client.importWorkflow(
			{ name: key, settings: { executionOrder: 'v1' }, nodes, connections },
			this.credentials.get(connection),
		);
		this.workflows.set(key, workflow);
		return workflow;
	}
}
