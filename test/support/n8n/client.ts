import axios, { type AxiosInstance } from 'axios';
import {
	NodeHelpers,
	type ICredentialDataDecryptedObject,
	type INode,
	type INodeTypeDescription,
	type IWorkflowBase,
} from 'n8n-workflow';
import { setTimeout as wait } from 'node:timers/promises';
import { isOver, parseExecution, type Execution, type ExecutionSummary } from './executions';

/** The one user of a host. n8n wants a capital letter and a digit in the password; it guards nothing but a sandbox. */
export const OWNER = {
	email: 'owner@payments.example',
	firstName: 'Payments',
	lastName: 'Owner',
	password: 'Sandbox-1',
};

/** What n8n hands back of a stored workflow. */
export interface StoredWorkflow extends IWorkflowBase {
	id: string;
	versionId: string;
}

/** What an example or a test hands in: a workflow as the editor exports it. */
export type WorkflowJson = Pick<IWorkflowBase, 'name' | 'nodes' | 'connections' | 'settings'>;

export interface Credential {
	id: string;
	name: string;
	type: string;
}

/** How far n8n has come with making the triggers of a workflow listen. */
interface Publication {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}

/** n8n's answer to the Test button of a credential. */
export interface CredentialTest {
	status: 'OK' | 'Error';
	message: string;
}

/** What a person does in the editor, done over the API that the editor itself uses. Errors carry n8n's own words. */
export class N8nClient {
	private readonly http: AxiosInstance;

	/** @param session what another client of the same n8n is signed in with: n8n lets a person sign in five times a minute */
	constructor(
		private readonly url: string,
		session?: string,
	) {
		// A proxy of the environment must never see, or break, calls to this machine.
		this.http = axios.create({
			baseURL: `${url}/rest`,
			proxy: false,
			timeout: 60_000,
			validateStatus: null,
		});
		this.http.defaults.headers.common.Cookie = session;
	}

	/** With what this client is signed in; empty before `setUpOwner`. */
	get session(): string {
		return String(this.http.defaults.headers.common.Cookie ?? '');
	}

	/** Makes the owner of a new n8n and signs in. */
	async setUpOwner(): Promise<void> {
		const response = await this.http.post<unknown>('/owner/setup', OWNER);
		if (response.status !== 200)
			throw new Error(`n8n refused its owner (${response.status}): ${wordsOf(response.data)}`);
		this.http.defaults.headers.common.Cookie = (response.headers['set-cookie'] ?? [])
			.map((cookie) => cookie.split(';')[0])
			.join('; ');
	}

	async createCredential(
		name: string,
		type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<Credential> {
		return await this.send('POST', '/credentials', { name, type, data });
	}

	/** Presses the Test button of a stored credential. */
	async testCredential(
		{ id, name, type }: Credential,
		data: ICredentialDataDecryptedObject,
	): Promise<CredentialTest> {
		return await this.send('POST', '/credentials/test', { credentials: { id, name, type, data } });
	}

	/** The stored data of a credential as the editor gets it, with n8n's blanks in the place of secrets. */
	async credentialData(id: string): Promise<ICredentialDataDecryptedObject> {
		return (
			await this.send<{ data: ICredentialDataDecryptedObject }>(
				'GET',
				`/credentials/${id}?includeData=true`,
			)
		).data;
	}

	/** Stores a workflow; each node gets the credentials at hand of the types that its own JSON names. */
	async importWorkflow(
		workflow: WorkflowJson,
		credentials: Credential[] = [],
	): Promise<StoredWorkflow> {
		const nodes = workflow.nodes.map((node) => withCredentials(node, credentials));
		return await this.send('POST', '/workflows', { ...workflow, nodes });
	}

	/**
	 * Publishes the stored version and waits until its triggers listen: n8n registers them after it has answered.
	 * @throws in the words of the trigger that refused
	 */
	async activate({ id, versionId }: StoredWorkflow): Promise<void> {
		await this.send('POST', `/workflows/${id}/activate`, { versionId });
		for (const deadline = Date.now() + 120_000; ; await wait(50)) {
			const { status, triggers } = await this.send<Publication>(
				'GET',
				`/workflows/${id}/publication-status`,
			);
			if (status === 'published') return;
			const refused = triggers.find(({ errorMessage }) => errorMessage);
			if (refused) throw new Error(`The workflow cannot be activated: ${refused.errorMessage}`);
			if (Date.now() > deadline)
				throw new Error(
					`The workflow was not active after two minutes; its publication is ${status}.`,
				);
		}
	}

	async deactivate({ id }: StoredWorkflow): Promise<void> {
		await this.send('POST', `/workflows/${id}/deactivate`, {});
	}

	/** Deletes a workflow with its executions; n8n wants it in the archive first. */
	async delete({ id }: StoredWorkflow): Promise<void> {
		await this.send('POST', `/workflows/${id}/archive`, {});
		await this.send('DELETE', `/workflows/${id}`);
	}

	/**
	 * Starts a workflow as the editor's Execute button does.
	 * @returns the id of the execution; undefined when the trigger now listens at its test URL instead
	 */
	async start({ id }: StoredWorkflow, trigger: string): Promise<string | undefined> {
		const started = await this.send<{ executionId?: string }>('POST', `/workflows/${id}/run`, {
			triggerToStartFrom: { name: trigger },
		});
		return started.executionId;
	}

	/** Runs a workflow by hand to its end. */
	async run(workflow: StoredWorkflow, trigger: string, timeoutMs = 60_000): Promise<Execution> {
		const id = await this.start(workflow, trigger);
		if (!id)
			throw new Error(`The trigger "${trigger}" waits for a request, so the workflow did not run.`);
		return await this.finished(id, timeoutMs);
	}

	/** Waits until an execution is over. */
	async finished(id: string, timeoutMs = 60_000): Promise<Execution> {
		for (const deadline = Date.now() + timeoutMs; ; ) {
			const execution = await this.execution(id);
			if (isOver(execution)) return execution;
			if (Date.now() > deadline)
				throw new Error(
					`Execution ${id} was not over after ${timeoutMs / 1000} s; it is ${execution.status}.`,
				);
			await wait(100);
		}
	}

	/**
	 * An execution with its data. n8n 1 writes the end of an execution first and its data after it: between the two the
	 * data are missing or without a run, so it is asked again.
	 */
	async execution(id: string): Promise<Execution> {
		for (const deadline = Date.now() + 5000; ; await wait(100)) {
			const execution = parseExecution(await this.send('GET', `/executions/${id}`));
			if (!isOver(execution)) return execution;
			const result = execution.data?.resultData;
			if (result?.error || Object.keys(result?.runData ?? {}).length > 0) return execution;
			if (Date.now() < deadline) continue;
			if (result) return execution;
			throw new Error(
				`n8n says that execution ${id} is over (${execution.status}), and has no data of it after 5 s.`,
			);
		}
	}

	/** The newest executions of a workflow, newest first, with their count over all. */
	async executions(
		{ id }: StoredWorkflow,
		limit = 100,
	): Promise<{ count: number; results: ExecutionSummary[] }> {
		return await this.send(
			'GET',
			`/executions?filter=${encodeURIComponent(JSON.stringify({ workflowId: id }))}&limit=${limit}`,
		);
	}

	/**
	 * The executions of a workflow, newest first, once there are so many and all are over. n8n puts its list together from several
	 * looks at its database, so one that ends meanwhile may stand nowhere in it: whoever waits for one says so by `atLeast`.
	 */
	async ended(
		workflow: StoredWorkflow,
		atLeast = 0,
		timeoutMs = 60_000,
	): Promise<{ count: number; results: ExecutionSummary[] }> {
		for (const deadline = Date.now() + timeoutMs; ; await wait(100)) {
			const list = await this.executions(workflow);
			if (
				list.count >= atLeast &&
				list.results.length >= Math.min(atLeast, 100) &&
				list.results.every(isOver)
			)
				return list;
			if (Date.now() > deadline) {
				throw new Error(
					`After ${timeoutMs / 1000} s there were ${list.count} executions instead of ${atLeast}: ${list.results.map(({ status }) => status).join(', ')}.`,
				);
			}
		}
	}

	/**
	 * The addresses at which a trigger node listens: always when the workflow is active, and while it is tested. They are
	 * known before the workflow is stored, because they hang on the node's `webhookId`.
	 */
	async webhookUrls(
		{ id = '', nodes }: { id?: string; nodes: INode[] },
		nodeName: string,
	): Promise<{ production: string; test: string }> {
		const node = nodes.find(({ name }) => name === nodeName);
		if (!node) throw new Error(`The workflow has no node "${nodeName}".`);
		const [webhook] = (await this.nodeType(node.type)).webhooks ?? [];
		if (!webhook) throw new Error(`The node "${nodeName}" does not listen for requests.`);
		const own = webhook.path.startsWith('=') ? (node.parameters.path as string) : webhook.path;
		const path = NodeHelpers.getNodeWebhookPath(id, node, own, webhook.isFullPath === true);
		return { production: `${this.url}/webhook/${path}`, test: `${this.url}/webhook-test/${path}` };
	}

	/** A node's description as n8n hands it to the editor. */
	async nodeType(name: string): Promise<INodeTypeDescription> {
		const { data } = await this.http.get<INodeTypeDescription[]>(`${this.url}/types/nodes.json`);
		const found = data.find((description) => description.name === name);
		if (!found) throw new Error(`n8n does not know the node type ${name}.`);
		return found;
	}

	/** For what the methods above do not cover: any call below /rest; resolves with the answer's `data`. */
	async send<T>(method: string, path: string, data?: unknown): Promise<T> {
		const response = await this.http.request<{ data: T }>({ method, url: path, data });
		if (response.status >= 400)
			throw new Error(
				`n8n answered ${response.status} to ${method} ${path}: ${wordsOf(response.data)}`,
			);
		return response.data.data;
	}
}

function withCredentials(node: INode, available: Credential[]): INode {
	if (!node.credentials) return node;
	const entries = Object.keys(node.credentials).map((type) => {
		const found = available.find((credential) => credential.type === type);
		if (!found)
			throw new Error(
				`The node "${node.name}" needs a credential of type ${type}, and none was handed in.`,
			);
		return [type, { id: found.id, name: found.name }];
	});
	return { ...node, credentials: Object.fromEntries(entries) as INode['credentials'] };
}

const wordsOf = (body: unknown) =>
	(body as { message?: string })?.message ?? JSON.stringify(body).slice(0, 500);
