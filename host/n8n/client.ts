import { Agent } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import type {
	ICredentialDataDecryptedObject,
	INode,
	INodeTypeDescription,
	IWorkflowBase,
	NodeHelpers,
} from 'n8n-workflow';
import { waitUntil } from '../waitUntil';
import { n8nInstallation } from './installation';
import { isOver, parseExecution, type Execution, type ExecutionSummary } from './executions';

/**
 * The owner of each n8n that is started here. n8n requires a capital letter and a digit in the
 * password.
 */
export const OWNER = {
	email: 'owner@payments.example',
	firstName: 'Payments',
	lastName: 'Owner',
	password: 'Sandbox-1',
};

/** The functions with which n8n itself finds its way in a workflow. */
function nodeHelpers(): typeof NodeHelpers {
	const requireFromN8n = createRequire(join(n8nInstallation().folder, 'package.json'));
	return (requireFromN8n('n8n-workflow') as { NodeHelpers: typeof NodeHelpers }).NodeHelpers;
}

/** A stored workflow, as n8n returns it. */
export interface StoredWorkflow extends IWorkflowBase {
	id: string;
	versionId: string;
}

/** A workflow as the editor exports it. */
export type WorkflowJson = Pick<IWorkflowBase, 'name' | 'nodes' | 'connections' | 'settings'> & {
	/** Of its own; n8n chooses one if there is none. */
	id?: string;
};

export interface Credential {
	id: string;
	name: string;
	type: string;
}

/** State of publishing a workflow: whether its triggers listen. */
interface Publication {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}

/**
 * Does what a user does in the editor, with the internal API of the editor. Errors contain n8n's
 * own messages.
 */
export class N8nClient {
	private readonly http: AxiosInstance;
	private types?: Promise<INodeTypeDescription[]>;

	/** @param session of another client of the same n8n, because n8n allows five sign-ins a minute */
	constructor(
		readonly url: string,
		session?: string,
	) {
		// Calls to this machine must not go through a proxy that the environment names.
		this.http = axios.create({
			baseURL: `${url}/rest`,
			proxy: false,
			timeout: 60_000,
			validateStatus: null,
			// n8n closes a connection that was idle for 5 s, just when a slow machine sends on it.
			httpAgent: new Agent({ keepAlive: false }),
		});
		this.http.defaults.headers.common.Cookie = session;
	}

	/** The cookies of this client; empty before `setUpOwner`. */
	get session(): string {
		return String(this.http.defaults.headers.common.Cookie ?? '');
	}

	/** Signs in as the owner, whom a new n8n doesn't have yet. */
	async setUpOwner(): Promise<void> {
		const { userManagement } = await this.send<{
			userManagement: { showSetupOnFirstLoad: boolean };
		}>('GET', '/settings');
		const { email: emailOrLdapLoginId, password } = OWNER;
		const response = userManagement.showSetupOnFirstLoad
			? await this.request('POST', '/owner/setup', OWNER)
			: await this.request('POST', '/login', { emailOrLdapLoginId, password });
		this.http.defaults.headers.common.Cookie = sessionOf(response);
	}

	/**
	 * Invites a member, accepts the invitation, and returns a client that is signed in as that user.
	 */
	async addMember(email: string, firstName: string, lastName: string): Promise<N8nClient> {
		const invitation = [{ email, role: 'global:member' }];
		const [{ user }] = await this.send<Array<{ user: { inviteAcceptUrl: string } }>>(
			'POST',
			'/invitations',
			invitation,
		);
		const token = new URL(user.inviteAcceptUrl).searchParams.get('token');
		const body = { token, firstName, lastName, password: OWNER.password };
		const response = await new N8nClient(this.url).request('POST', '/invitations/accept', body);
		return new N8nClient(this.url, sessionOf(response));
	}

	async createCredential(
		name: string,
		type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<Credential> {
		return await this.send('POST', '/credentials', { name, type, data });
	}

	/**
	 * Stores a workflow. Each node gets the given credentials of the types that its JSON names, or,
	 * if it names none, as the examples do, of those that the node shows a place for.
	 */
	async importWorkflow(
		workflow: WorkflowJson,
		credentials: Credential[] = [],
	): Promise<StoredWorkflow> {
		const descriptions = credentials.length > 0 ? await this.nodeTypes() : [];
		const nodes = workflow.nodes.map((node) => withCredentials(node, credentials, descriptions));
		return await this.send('POST', '/workflows', { ...workflow, nodes });
	}

	/**
	 * Publishes the stored version and waits until its triggers listen: n8n registers them after it
	 * has answered.
	 * @throws with the message of the trigger that can't be started
	 */
	async activate({ id, versionId }: StoredWorkflow): Promise<void> {
		await this.send('POST', `/workflows/${id}/activate`, { versionId });
		const isPublished = async () => {
			const path = `/workflows/${id}/publication-status`;
			const { status, triggers } = await this.send<Publication>('GET', path);
			const failed = triggers.find(({ errorMessage }) => errorMessage);
			if (failed) throw new Error(`The workflow can't be published: ${failed.errorMessage}`);
			return status === 'published';
		};
		await waitUntil('the workflow is published', isPublished);
	}

	async deactivate({ id }: StoredWorkflow): Promise<void> {
		await this.send('POST', `/workflows/${id}/deactivate`, {});
	}

	/**
	 * Starts a workflow as the editor's Execute button does.
	 * @returns the id of the execution; undefined when the trigger now listens at its test URL
	 *   instead
	 */
	async start({ id }: StoredWorkflow, trigger: string): Promise<string | undefined> {
		const started = await this.send<{ executionId?: string }>('POST', `/workflows/${id}/run`, {
			triggerToStartFrom: { name: trigger },
		});
		return started.executionId;
	}

	/** Runs a workflow by hand to its end. */
	async run(workflow: StoredWorkflow, trigger: string): Promise<Execution> {
		const id = await this.start(workflow, trigger);
		if (!id)
			throw new Error(`The trigger "${trigger}" waits for a request, so the workflow did not run.`);
		return await this.executionEnded(id);
	}

	/** Waits until an execution is over, and returns it. */
	async executionEnded(id: string): Promise<Execution> {
		const whenOver = async () => {
			const execution = await this.execution(id);
			return isOver(execution) && execution;
		};
		return await waitUntil(`execution ${id} is over`, whenOver, { intervalMs: 100 });
	}

	/** Returns an execution with its data. */
	async execution(id: string): Promise<Execution> {
		return parseExecution(await this.send('GET', `/executions/${id}`));
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
	 * Returns the executions of a workflow, newest first, when there are at least so many and all are
	 * over. n8n puts this list together from several queries, so one that ends meanwhile may be
	 * missing from it.
	 */
	async ended(workflow: StoredWorkflow, atLeast: number): Promise<ExecutionSummary[]> {
		const whenOver = async () => {
			const { results } = await this.executions(workflow);
			return results.length >= atLeast && results.every(isOver) && results;
		};
		return await waitUntil(`${atLeast} executions are over`, whenOver, { intervalMs: 100 });
	}

	/**
	 * The addresses at which a trigger node listens: always when the workflow is active, and while it
	 * is tested. They are known before the workflow is stored, because they hang on the node's
	 * `webhookId`.
	 */
	async webhookUrls(
		{ id = '', nodes }: { id?: string; nodes: INode[] },
		nodeName: string,
	): Promise<{ production: string; test: string }> {
		const node = nodes.find(({ name }) => name === nodeName);
		if (!node) throw new Error(`The workflow has no node "${nodeName}".`);
		const description = (await this.nodeTypes()).find(({ name }) => name === node.type);
		const [webhook] = description?.webhooks ?? [];
		if (!webhook) throw new Error(`The node "${nodeName}" does not listen for requests.`);
		const { path: given, options } = node.parameters as {
			path?: string;
			options?: { path?: string };
		};
		const own = webhook.path.startsWith('=') ? (given ?? options?.path ?? '') : webhook.path;
		const path = nodeHelpers().getNodeWebhookPath(id, node, own, webhook.isFullPath === true);
		return { production: `${this.url}/webhook/${path}`, test: `${this.url}/webhook-test/${path}` };
	}

	/** Returns the descriptions of all nodes as the editor gets them. */
	async nodeTypes(): Promise<INodeTypeDescription[]> {
		const address = `${this.url}/types/nodes.json`;
		this.types ??= this.http.get<INodeTypeDescription[]>(address).then(({ data }) => data);
		return await this.types;
	}

	/** Makes any call below /rest and returns the `data` of the response. */
	async send<T>(method: string, path: string, data?: unknown): Promise<T> {
		const response = await this.request(method, path, data);
		return (response.data as { data: T }).data;
	}

	/** Waits for an n8n that is too busy to answer. */
	private async request(method: string, path: string, data?: unknown): Promise<AxiosResponse> {
		const call = async () => await this.http.request<unknown>({ method, url: path, data });
		const deadline = Date.now() + 60_000;
		let response = await call();
		while (isBusy(response) && Date.now() < deadline) {
			await wait(500);
			response = await call();
		}
		if (response.status >= 400)
			throw new Error(
				`n8n answered ${response.status} to ${method} ${path}: ${messageOf(response.data)}`,
			);
		return response;
	}
}

/**
 * Whether n8n did nothing because it is busy: its database is, or a regular expression of a node's
 * description took longer than the 250 ms that n8n gives it when a workflow is published.
 */
const isBusy = ({ status, data }: AxiosResponse): boolean =>
	status === 503 ||
	(status === 400 && messageOf(data).includes('Error validating node parameters'));

function withCredentials(
	node: INode,
	available: Credential[],
	descriptions: INodeTypeDescription[],
): INode {
	const isNamed = node.credentials !== undefined;
	const types = isNamed ? Object.keys(node.credentials!) : credentialTypesOf(node, descriptions);
	const entries = types.flatMap((type) => {
		const found = available.find((credential) => credential.type === type);
		if (!found && isNamed)
			throw new Error(
				`The node "${node.name}" needs a credential of type ${type}, and none was given.`,
			);
		return found ? [[type, { id: found.id, name: found.name }] as const] : [];
	});
	return entries.length > 0 ? { ...node, credentials: Object.fromEntries(entries) } : node;
}

/** The types of credentials that the editor shows a place for in a node. */
function credentialTypesOf(node: INode, descriptions: INodeTypeDescription[]): string[] {
	const description = descriptions.find(
		({ name, version }) => name === node.type && [version].flat().includes(node.typeVersion),
	);
	if (!description) return [];
	const { getNodeParameters, displayParameter } = nodeHelpers();
	const { properties, credentials = [] } = description;
	const parameters = getNodeParameters(
		properties,
		node.parameters,
		...([true, false, node, description] as const),
	)!;
	const own = credentials.filter((one) => displayParameter(parameters, one, node, description));
	const ofHttpRequest = parameters.nodeCredentialType as string | undefined;
	return [...own.map(({ name }) => name), ...(ofHttpRequest ? [ofHttpRequest] : [])];
}

/** The cookies that a response sets. */
const sessionOf = ({ headers }: AxiosResponse) =>
	(headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');

const messageOf = (body: unknown) =>
	(body as { message?: string })?.message ?? JSON.stringify(body).slice(0, 500);
