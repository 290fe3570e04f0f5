import { setTimeout as wait } from 'node:timers/promises';
import type { Credential, StoredWorkflow } from '../host/n8n/client';
import { isOver, nodeTime } from '../host/n8n/executions';
import { startN8n, type N8n } from '../host/n8n/startN8n';
import { createPaymentsApi } from '../host/n8n/credentials';
import { launchSandbox, type Sandbox } from '../host/sandbox';
import type { ClientWithSecret, Counts, Faults } from '../sandbox/types';
import { runClient } from './clients/run';
import { openConnections, type Connection, type Connections } from './connection/connections';
import { makeItems } from './sampleItems';
import { credentialTypeOf, nodeOf } from './nodes';
import { isClient, type NodeSubject, type Subject } from './subjects';

const TIMEOUT_MS = 15 * 60_000;
const RARELY_MS = 5000;
/**
 * The service does nothing with a transaction once it is accepted, so that its own work is not
 * measured along.
 */
const NO_PROCESSING = { processingMs: 24 * 60 * 60_000 };

export interface Measurement {
	ms: number;
	counts: Counts;
}

const main = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });

/** A real n8n with the packed nodes, and a sandbox for it to talk to. */
export class Rig {
	private readonly workflows = new Map<string, StoredWorkflow>();

	private constructor(
		readonly n8n: N8n,
		readonly sandbox: Sandbox,
		private readonly client: ClientWithSecret,
		private readonly credentials: Record<Connection, Credential[]>,
		private readonly connections: Connections,
	) {}

	/**
	 * `tarball`: the packed nodes. n8n runs as it comes, with its default expression engine and the
	 * Node that it needs.
	 */
	static async start(tarball: string): Promise<Rig> {
		const sandbox = await launchSandbox({ args: ['--host', '0.0.0.0'] });
		const connections = await openConnections(sandbox.url);
		const env = { NODE_EXTRA_CA_CERTS: connections.certificate.file };
		const n8n = await startN8n({ tarball, env });
		await n8n.client.setUpOwner();
		const client = await sandbox.client.createClient({ name: 'benchmark' });
		const credentials = {} as Record<Connection, Credential[]>;
		for (const [connection, url] of Object.entries(connections.urls)) {
			credentials[connection as Connection] = [
				await createPaymentsApi(n8n.client, { url, ...client }),
				await n8n.client.createCredential('OAuth2', 'oAuth2Api', {
					grantType: 'clientCredentials',
					accessTokenUrl: `${url}/passport/oauth/token`,
					clientId: client.clientId,
					clientSecret: client.clientSecret,
					scope: 'PAYMENTS',
					authentication: 'body',
				}),
			];
		}
		return new Rig(n8n, sandbox, client, credentials, connections);
	}

	async stop(): Promise<void> {
		await Promise.all([this.n8n.stop(), this.sandbox.stop(), this.connections.close()]);
	}

	/**
	 * Sends `items` transactions to a service that knows none of them, and takes the time in ms: in
	 * n8n by the measured node's own execution time, elsewhere from the first request to the last
	 * answer.
	 * @throws when not every transaction was created
	 */
	async measure(
		subject: Subject,
		items: number,
		faults: Faults,
		connection: Connection = 'http',
	): Promise<Measurement> {
		await this.prepare(faults);
		if (isClient(subject)) {
			const ms = await runClient(subject, {
				url: this.connections.urls[connection],
				sandbox: this.sandbox.url,
				ca: this.connections.certificate.cert,
				client: this.client,
				items,
			});
			return { ms, counts: await this.check(subject, items) };
		}
		const id = await this.run(subject, items, connection);
		const counts = await this.check(subject, items);
		return { ms: nodeTime(await this.n8n.client.execution(id), subject), counts };
	}

	/**
	 * As `measure`, for a node that may leave transactions out: with what the service counts in the
	 * end.
	 */
	async measureUnchecked(
		subject: NodeSubject,
		items: number,
		faults: Faults,
		connection: Connection,
	): Promise<Measurement> {
		await this.prepare(faults);
		const id = await this.run(subject, items, connection);
		const execution = await this.n8n.client.execution(id);
		return { ms: nodeTime(execution, subject), counts: await this.sandbox.client.getCounts() };
	}

	/** Empties the service, and sets how it answers. */
	async prepare(faults: Faults): Promise<void> {
		await this.sandbox.client.reset();
		await this.sandbox.client.setFaults({ ...NO_PROCESSING, ...faults });
	}

	/**
	 * Runs a node in n8n to its end; resolves with the id of the execution. Its data is not fetched,
	 * because that would cost n8n memory, and until the service has everything n8n is asked rarely,
	 * because every question costs it time.
	 */
	async run(subject: NodeSubject, items: number, connection: Connection = 'http'): Promise<string> {
		const workflow = await this.workflowFor(subject, items, connection);
		const id = await this.n8n.client.start(workflow, 'Start');
		const start = Date.now();
		for (let asked = start; ; await wait(100)) {
			const { created } = (await this.sandbox.client.getCounts()).transactions;
			if (created < items && Date.now() - asked < RARELY_MS) continue;
			asked = Date.now();
			const { results } = await this.n8n.client.executions(workflow, 1);
			if (results[0]?.id === id && isOver(results[0])) return results[0].id;
			if (asked - start > TIMEOUT_MS)
				throw new Error(
					`${subject} with ${items} items was not over after ${TIMEOUT_MS / 60_000} minutes.`,
				);
		}
	}

	/** The counts of the service; throws when it did not create exactly so many transactions. */
	async check(subject: Subject, items: number): Promise<Counts> {
		const counts = await this.sandbox.client.getCounts();
		const { created } = counts.transactions;
		if (created !== items)
			throw new Error(
				`${subject} was to create ${items} transactions; the service counts ${created}. Answers: ${JSON.stringify(counts.transactions.responses)}.`,
			);
		return counts;
	}

	private async workflowFor(
		subject: NodeSubject,
		items: number,
		connection: Connection,
	): Promise<StoredWorkflow> {
		const { [connection]: url } = this.connections.urls;
		const key = `${subject} ${items} ${connection} ${url}`;
		const known = this.workflows.get(key);
		if (known) return known;
		const place = { position: [0, 0] as [number, number] };
		const workflow = await this.n8n.client.importWorkflow(
			{
				name: key,
				settings: { executionOrder: 'v1' },
				nodes: [
					{
						id: '1',
						name: 'Start',
						type: 'n8n-nodes-base.manualTrigger',
						typeVersion: 1,
						parameters: {},
						...place,
					},
					{
						id: '2',
						name: 'Items',
						type: 'n8n-nodes-base.code',
						typeVersion: 2,
						parameters: { jsCode: makeItems(items) },
						...place,
					},
					{
						id: '3',
						name: subject,
						...nodeOf(subject, url),
						credentials: { [credentialTypeOf(subject)]: { id: '', name: '' } },
						...place,
					},
				],
				connections: { Start: main('Items'), Items: main(subject) },
			},
			this.credentials[connection],
		);
		this.workflows.set(key, workflow);
		return workflow;
	}
}
