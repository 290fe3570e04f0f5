import {
	NodeOperationError,
	type IDataObject,
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { deduplicate, MAX_WINDOW_MS, type ResponseState } from './deduplication/deduplicate';
import { defaultOptions, type Options } from './description';
import { createOutputIndex, route, type OutputParameters } from './events/outputs';
import { parseEvents, type PaymentEvent } from './events/parseEvents';
import { checkSelectedEvents } from './events/selectedEvents';
import { responses, type DeliveryResponse, type ResponseName } from './responses';
import { CredentialCache } from './signature/CredentialCache';
import { checkWebhookCredential, verify, type WebhookCredential } from './signature/verify';

/** What is used of Express' request, and what n8n adds to it to read the exact bytes. */
interface WebhookRequest {
	headers: Record<string, string | string[] | undefined>;
	contentType?: string;
	rawBody?: Buffer;
	readRawBody(): Promise<void>;
}

/** What is used of Express' response. */
interface WebhookResponse extends ResponseState {
	status(code: number): WebhookResponse;
	set(headers: Record<string, string>): WebhookResponse;
	json(body: unknown): unknown;
}

/** What becomes of a delivery: the items of an execution, or a response from the table. */
type Decision =
	| { response: 'accepted'; items: INodeExecutionData[][] }
	| {
			response: Exclude<ResponseName, 'accepted' | 'unrecorded'>;
			/** For the log. Names no secret and nothing of the body. */
			reason?: string;
			/** Sent to the sender beside the message. */
			details?: IDataObject;
	  };

const MINUTE_MS = 60_000;

/** Headers that carry credentials; they never become part of an item. */
const SECRET_HEADERS = ['authorization', 'cookie', 'proxy-authorization'];

export const credentialCache = new CredentialCache<WebhookCredential>({
	now: () => performance.now(),
	// This timer doesn't keep the process alive.
	later: (ms, action) => AbortSignal.timeout(ms).addEventListener('abort', action),
});

/** Reads the exact bytes of the body. Returns undefined when they can't be read. */
async function readBody(request: WebhookRequest): Promise<Buffer | undefined> {
	// n8n has consumed the stream of a multipart form without keeping its bytes; reading it again could wait forever.
	const isReadable = request.contentType !== 'multipart/form-data';
	if (isReadable) await request.readRawBody().catch(() => undefined);
	return request.rawBody;
}

/**
 * Reads the credential.
 *
 * @throws when it can't be read or can't verify a signature
 */
async function readCredential(context: IWebhookFunctions): Promise<WebhookCredential> {
	const credential = await context.getCredentials<WebhookCredential>('paymentsWebhookApi');
	const issue = checkWebhookCredential(credential);
	if (issue) throw new NodeOperationError(context.getNode(), issue);
	return credential;
}

function withoutSecrets(
	headers: WebhookRequest['headers'],
	credential: WebhookCredential,
): IDataObject {
	const secretHeaders = [...SECRET_HEADERS];
	if (credential.scheme === 'headerValue') {
		secretHeaders.push(String(credential.headerName).trim().toLowerCase());
	}
	return Object.fromEntries(
		Object.entries(headers).filter(([name]) => !secretHeaders.includes(name)),
	);
}

function toItems(
	events: readonly PaymentEvent[],
	parameters: OutputParameters,
	more: IDataObject,
): INodeExecutionData[][] {
	return route(events, parameters).map((output) =>
		output.map(({ json }) => ({ json: { ...json, ...more } as IDataObject })),
	);
}

/** Reads the deduplication window in milliseconds. An expression that gives no positive number counts as the default. */
function deduplicationWindowOf({ deduplicationWindow }: Options): number {
	const minutes = Number(deduplicationWindow);
	const window = (minutes > 0 ? minutes : defaultOptions.deduplicationWindow) * MINUTE_MS;
	return Math.min(window, MAX_WINDOW_MS);
}

/** Decides what becomes of a delivery: verify, parse, filter, deduplicate, route. */
async function decide(
	context: IWebhookFunctions,
	request: WebhookRequest,
	response: WebhookResponse,
): Promise<Decision> {
	const options: Options = {
		...defaultOptions,
		...(context.getNodeParameter('options', {}) as Partial<Options>),
	};
	const selectedEvents = context.getNodeParameter('events');
	const isTest = context.getMode() === 'manual';
	const isVerified = context.getNodeParameter('authentication') !== 'none';
	const setupIssue = checkSelectedEvents(selectedEvents);
	if (setupIssue) return { response: 'notReady', reason: setupIssue };

	const rawBody = await readBody(request);
	if (!rawBody) return { response: 'empty', reason: "its body couldn't be read" };
	let credential: WebhookCredential = {};
	let deliveryId: string | undefined;
	if (isVerified) {
		// Cache key. It changes when the node changes, so the credential is read again. In the editor, every delivery reads it.
		const { id, typeVersion, credentials, parameters } = context.getNode();
		const use = [context.getWorkflow().id, id, typeVersion, credentials, parameters];
		const key = isTest ? undefined : JSON.stringify(use);
		const result = await credentialCache.check(
			key,
			() => readCredential(context),
			(candidate) => {
				credential = candidate;
				return verify(
					candidate,
					{ rawBody, headers: request.headers },
					{ now: Date.now(), toleranceMinutes: Number(options.timestampTolerance) },
				);
			},
		);
		if (!result.accepted) return { response: 'rejected', reason: result.reason };
		deliveryId = result.id;
	}

	const events = parseEvents(rawBody, {
		eventType: options.eventTypeField,
		eventId: options.eventIdField,
	});
	if (typeof events === 'string') return { response: events, reason: responses[events].message };
	if (events.length === 1) events[0].id ??= deliveryId;

	const parameters: OutputParameters = { events: selectedEvents, options };
	const outputIndexOf = createOutputIndex(parameters);
	const selected = events.filter(({ eventType }) => outputIndexOf(eventType) >= 0);
	if (selected.length === 0) {
		const ignored = new Set(events.map(({ eventType }) => eventType));
		return { response: 'ignored', details: { ignored: [...ignored] } };
	}

	// In the editor, the user sees every delivery.
	const isDeduplicated = options.deduplicateDeliveries && !isTest;
	const trigger = `${context.getWorkflow().id}/${context.getNode().id}`;
	const newEvents = isDeduplicated
		? deduplicate(trigger, selected, response, deduplicationWindowOf(options))
		: selected;
	if (newEvents === 'inFlight') return { response: 'inFlight' };
	if (newEvents.length === 0) return { response: 'duplicate' };

	const headers = options.includeHeaders
		? { headers: withoutSecrets(request.headers, credential) }
		: {};
	return { response: 'accepted', items: toItems(newEvents, parameters, headers) };
}

/**
 * Turns n8n's response to an execution without a record into a 500. n8n responds to it with 200 and words of its own,
 * whatever became of the execution: so it does when the database was away as the execution ended. The response to an
 * execution that succeeded has no body (`responseData` in the node's description).
 */
function failUnrecorded(response: WebhookResponse) {
	const json = response.json.bind(response);
	response.json = (body) => {
		if (body === undefined || response.statusCode >= 300) return json(body);
		response.status(responses.unrecorded.status);
		return json({ message: responses.unrecorded.message });
	};
}

function respond(
	response: WebhookResponse,
	{ status, message, retryAfter }: DeliveryResponse,
	details: IDataObject = {},
) {
	if (retryAfter) response.set({ 'Retry-After': String(retryAfter) });
	response.status(status);
	response.json({ message, ...details });
}

/** How the person who listens in the editor gets unstuck, where the reason alone does not say it. */
const TEST_HINTS: Partial<Record<ResponseName, string>> = {
	rejected:
		"Compare the credential with the webhook endpoint in the service's dashboard. Each endpoint has a secret of its own.",
	noEventType: "Set 'Event Type Field' under Options to the field with the event's type.",
};

/**
 * Ends the test execution with the reason, so that the person who listens in the editor sees it instead of waiting on.
 * n8n responds to anything thrown with a 500 of its own; the sender gets the row of the table instead, with the reason.
 *
 * @throws NodeOperationError always
 */
function failTestExecution(
	context: IWebhookFunctions,
	response: WebhookResponse,
	name: ResponseName,
	reason: string,
): never {
	const row = responses[name];
	const json = response.json.bind(response);
	response.json = () => {
		response.status(row.status);
		return json({ message: row.message, reason });
	};
	throw new NodeOperationError(
		context.getNode(),
		`The delivery got a response with status ${row.status}: ${reason}`,
		{ description: `${TEST_HINTS[name] ?? 'Change that.'} Then listen and resend the event.` },
	);
}

/**
 * Handles one delivery: a signed event that the workflow listens to starts an execution, which n8n responds to; to
 * everything else the trigger responds from the table of responses.
 *
 * @throws NodeOperationError only while the user listens in the editor. In production it never throws: that would be a
 * failed execution in the user's list.
 */
export async function handleDelivery(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = this.getRequestObject() as unknown as WebhookRequest;
	const response = this.getResponseObject() as unknown as WebhookResponse;
	const isTest = this.getMode() === 'manual';
	let decision: Decision;
	try {
		decision = await decide(this, request, response);
	} catch (error) {
		const reason = error instanceof Error ? error.message : 'the reason is not known';
		decision = { response: 'notReady', reason };
	}
	if (decision.response === 'accepted') {
		if (!isTest) failUnrecorded(response);
		return { workflowData: decision.items };
	}

	const row: DeliveryResponse = responses[decision.response];
	const { reason, details } = decision;
	if (reason) {
		this.logger.warn(`Payments Trigger answered a delivery with ${row.status}: ${reason}`, {
			workflowId: this.getWorkflow().id,
			nodeName: this.getNode().name,
		});
		if (isTest) failTestExecution(this, response, decision.response, reason);
	}
	respond(response, row, details);
	return { noWebhookResponse: true };
}
