import type { IncomingMessage, ServerResponse } from 'node:http';
import { HookContext, WebhookContext } from 'n8n-core';
import {
	Workflow,
	type ICredentialDataDecryptedObject,
	type IHookFunctions,
	type INode,
	type INodeExecutionData,
	type IWebhookData,
	type IWebhookFunctions,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { PaymentsWebhookApi } from '../../../credentials/PaymentsWebhookApi.credentials';
import { PaymentsTrigger } from '../../../nodes/PaymentsTrigger/PaymentsTrigger.node';
import { startHttpServer } from '../servers/httpServer';
import { SECRET } from '../signed';
import { EngineCredentials, NodeTypes, additionalData } from './harness';

const TYPE = 'n8n-nodes-payments.paymentsTrigger';
const WORKFLOW_NAME = 'Events "live"\nof payments';
const trigger = new PaymentsTrigger();

export interface Setup {
	parameters?: INode['parameters'];
	/** `null` leaves the credential away. */
	credential?: ICredentialDataDecryptedObject | null;
	workflowId?: string;
	nodeId?: string;
	mode?: WorkflowExecuteMode;
}

/** The trigger in n8n's real contexts, with n8n's real decryption of the credential. */
export async function setUp({
	parameters = {},
	credential = { scheme: 'messageSignature', secret: SECRET },
	workflowId = 'wf1',
	nodeId = 't',
	mode = 'webhook',
}: Setup) {
	const credentials = new EngineCredentials({ paymentsWebhookApi: new PaymentsWebhookApi() });
	const node: INode = {
		id: nodeId,
		name: 'Payments Trigger',
		type: TYPE,
		typeVersion: 1.1,
		position: [0, 0],
		parameters,
		webhookId: 'abc',
	};
	if (credential) {
		await credentials.seed('c1', 'paymentsWebhookApi', credential);
		node.credentials = { paymentsWebhookApi: { id: 'c1', name: 'endpoint' } };
	}
	const workflow = new Workflow({
		id: workflowId,
		name: WORKFLOW_NAME,
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes: new NodeTypes({ [TYPE]: trigger }),
		settings: {},
	});
	const data = additionalData(credentials, mode, {
		id: workflowId,
		nodes: [node],
		connections: {},
	});
	const webhookData: IWebhookData = {
		httpMethod: 'POST',
		node: node.name,
		path: 'abc/webhook',
		webhookDescription: trigger.description.webhooks![0],
		workflowId,
		workflowExecuteAdditionalData: data,
	};
	const started = workflow.getNode(node.name)!;
	return {
		workflow,
		node: started,
		credentials,
		hooks: new HookContext(
			workflow,
			started,
			data,
			'trigger',
			'activate',
			webhookData,
		) as unknown as IHookFunctions,
		contextFor: (request: IncomingMessage, response: ServerResponse) =>
			new WebhookContext(
				workflow,
				started,
				{ ...data, httpRequest: request, httpResponse: response } as never,
				mode,
				webhookData,
				[],
				null,
			) as unknown as IWebhookFunctions,
	};
}

/**
 * What Express and n8n's body reader add to a request and a response, as far as the trigger uses
 * it.
 */
function asN8nGivesThem(request: IncomingMessage, response: ServerResponse) {
	const incoming = Object.assign(request, {
		params: {},
		query: {},
		contentType: request.headers['content-type']?.split(';')[0],
		rawBody: undefined as Buffer | undefined,
		async readRawBody() {
			const chunks: Buffer[] = [];
			for await (const chunk of request) chunks.push(chunk as Buffer);
			incoming.rawBody = Buffer.concat(chunks);
		},
	});
	const outgoing = Object.assign(response, {
		status(code: number) {
			response.statusCode = code;
			return outgoing;
		},
		set(headers: Record<string, string>) {
			for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
			return outgoing;
		},
		json(body: unknown) {
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(body));
		},
	});
	return { incoming, outgoing };
}

export interface Receiver {
	url: string;
	/** n8n's store of credentials. */
	credentials: EngineCredentials;
	/** The items of each run, output by output. */
	runs: INodeExecutionData[][][];
	/** What came out of the trigger as an exception; must stay empty. */
	thrown: unknown[];
	/** What the trigger logged as warnings, and as information: message and details. */
	warnings: string[];
	infos: string[];
	/** Set to decide what a run is answered, and when: n8n's part in production. */
	answerRun: (response: ServerResponse & { json: (body: unknown) => void }) => void | Promise<void>;
	stop: () => Promise<void>;
}

/** Listens on 127.0.0.1 and gives every request to the trigger, as n8n's webhook server does. */
export async function startReceiver(setup: Setup = {}): Promise<Receiver> {
	const { hooks, credentials, contextFor } = await setUp(setup);
	// All contexts share n8n's one logger; what it is told is kept, and still told.
	const { logger } = hooks;
	const { warn, info } = logger;
	logger.warn = (message, details) => {
		receiver.warnings.push(`${message} ${JSON.stringify(details)}`);
		warn.call(logger, message, details);
	};
	logger.info = (message, details) => {
		receiver.infos.push(`${message} ${JSON.stringify(details)}`);
		info.call(logger, message, details);
	};
	const server = await startHttpServer((request, response) => {
		const { incoming, outgoing } = asN8nGivesThem(request, response);
		trigger.webhook
			.call(contextFor(incoming, outgoing))
			.then(async ({ workflowData, noWebhookResponse }) => {
				if (!workflowData) {
					// As n8n does, which throws when the trigger has responded.
					if (!noWebhookResponse) outgoing.json({ message: 'Webhook call received' });
					return;
				}
				receiver.runs.push(workflowData);
				await receiver.answerRun(outgoing);
			})
			.catch((error: unknown) => {
				receiver.thrown.push(error);
				if (response.headersSent) return;
				// As n8n's sendErrorResponse does.
				outgoing.status(500).json({ code: 0, message: 'Workflow could not be started!' });
			});
	});
	const receiver: Receiver = {
		url: server.url,
		credentials,
		runs: [],
		thrown: [],
		warnings: [],
		infos: [],
		answerRun: (response) => void response.writeHead(200).end(),
		stop: async () => {
			Object.assign(logger, { warn, info });
			await server.stop();
		},
	};
	return receiver;
}
