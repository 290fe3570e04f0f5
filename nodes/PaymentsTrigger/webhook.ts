import {
	NodeOperationError,
	type IDataObject,
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { asSentences, ok, type Problem, type Result } from '../shared/result';
import { deduplicate, MAX_WINDOW_MS, type ResponseState } from './deduplication/deduplicate';
import { checkOptions, defaultOptions, type Options } from './options';
import { createOutputIndex, route } from './events/outputs';
import { parseEvents, parseJson, type PaymentEvent } from './events/parseEvents';
import { checkSelectedEvents } from './events/selectedEvents';
import {
	failUnrecorded,
	respond,
	respondToThrown,
	responses,
	type DeliveryResponse,
	type ResponseName,
	type WebhookResponse,
} from './responses';
import { VerifierCache } from './signature/VerifierCache';
import type { VerifiedDelivery } from './signature/scheme';
import { readVerifier, verify, type Verifier, type WebhookCredential } from './signature/verify';

/** What is used of Express' request, and what n8n adds to it to read the exact bytes. */
interface WebhookRequest {
	headers: Record<string, string | string[] | undefined>;
	contentType?: string;
	rawBody?: Buffer;
	readRawBody(): Promise<void>;
}

/** The node's parameters. */
interface Settings {
	/** The value of 'Trigger On': a list that selects at least one event type. */
	events: unknown;
	isVerified: boolean;
	options: Options;
}

/** What becomes of a delivery: the items of an execution, or a response from the table. */
type Decision =
	| { response: 'accepted'; items: INodeExecutionData[][] }
	| { response: 'ignored' | 'duplicate' | 'inFlight'; details?: IDataObject }
	| {
			response: 'empty' | 'notJson' | 'noEventType' | 'rejected' | 'notReady';
			/** For the log. Names no secret and nothing of the body. */
			problem: Problem;
	  };

const MINUTE_MS = 60_000;

/** Headers that carry credentials; they never become part of an item. */
const SECRET_HEADERS = ['authorization', 'cookie', 'proxy-authorization'];

export const verifierCache = new VerifierCache<Verifier>(() => performance.now());

function readSettings(context: IWebhookFunctions): Result<Settings> {
	const events = context.getNodeParameter('events');
	const options = context.getNodeParameter('options', {}) as Partial<Options>;
	const problem = checkSelectedEvents(events) ?? checkOptions(options);
	if (problem) return { problem };
	return ok({
		events,
		isVerified: context.getNodeParameter('authentication') !== 'none',
		options: { ...defaultOptions, ...options },
	});
}

/** Reads the exact bytes of the body. */
async function readBody(request: WebhookRequest): Promise<Buffer | undefined> {
	// n8n has consumed the stream of a multipart form; reading it again could wait forever.
	const isReadable = request.contentType !== 'multipart/form-data';
	if (isReadable) await request.readRawBody().catch(() => undefined);
	return request.rawBody;
}

/**
 * Key of the credential in the cache. It changes when the node changes, so the credential is read
 * again. In the editor there is none: every delivery reads the credential.
 */
function cacheKeyOf(context: IWebhookFunctions): string | undefined {
	if (context.getMode() === 'manual') return undefined;
	const { id, typeVersion, credentials, parameters } = context.getNode();
	return JSON.stringify([context.getWorkflow().id, id, typeVersion, credentials, parameters]);
}

/** @throws when the credential can't be read or can't verify a signature */
async function readCredential(context: IWebhookFunctions): Promise<Verifier> {
	const credential = await context.getCredentials<WebhookCredential>('paymentsWebhookApi');
	const { value, problem } = readVerifier(credential);
	if (!problem) return value;
	throw new NodeOperationError(context.getNode(), problem.message, { description: problem.fix });
}

/** @throws as `readCredential` */
async function verifyDelivery(
	context: IWebhookFunctions,
	delivery: { rawBody: Buffer; headers: WebhookRequest['headers'] },
	{ timestampTolerance }: Options,
): Promise<Result<VerifiedDelivery>> {
	const clock = { now: Date.now(), toleranceMinutes: Number(timestampTolerance) };
	return await verifierCache.verify(
		cacheKeyOf(context),
		async () => await readCredential(context),
		(verifier) => verify(verifier, delivery, clock),
	);
}

/** An expression can give anything: what isn't a positive number counts as the default. */
function deduplicationWindowOf({ deduplicationWindow }: Options): number {
	const given = Number(deduplicationWindow);
	const minutes = given > 0 ? given : defaultOptions.deduplicationWindow;
	return Math.min(minutes * MINUTE_MS, MAX_WINDOW_MS);
}

function dropDuplicates(
	context: IWebhookFunctions,
	events: PaymentEvent[],
	response: ResponseState,
	options: Options,
): PaymentEvent[] | undefined {
	// In the editor, the user sees every delivery.
	if (!options.deduplicateDeliveries || context.getMode() === 'manual') return events;
	const trigger = `${context.getWorkflow().id}/${context.getNode().id}`;
	return deduplicate(trigger, events, response, deduplicationWindowOf(options));
}

function withoutSecrets(
	headers: WebhookRequest['headers'],
	{ secretHeader = '' }: VerifiedDelivery,
): IDataObject {
	return Object.fromEntries(
		Object.entries(headers).filter(
			([name]) => !SECRET_HEADERS.includes(name) && name !== secretHeader,
		),
	);
}

/** Decides what becomes of a delivery. */
async function decide(
	context: IWebhookFunctions,
	request: WebhookRequest,
	response: ResponseState,
): Promise<Decision> {
	const settings = readSettings(context);
	if (settings.problem) return { response: 'notReady', problem: settings.problem };
	const { events: selection, isVerified, options } = settings.value;

	const rawBody = await readBody(request);
	if (!rawBody) {
		const problem = { message: "its body couldn't be read", fix: 'Use JSON, not a form.' };
		return { response: 'empty', problem };
	}
	const { headers } = request;
	const verified = isVerified
		? await verifyDelivery(context, { rawBody, headers }, options)
		: ok<VerifiedDelivery>({});
	if (verified.problem) return { response: 'rejected', problem: verified.problem };

	if (rawBody.length === 0) {
		const problem = { message: 'it has no body', fix: 'Set the service to send the event.' };
		return { response: 'empty', problem };
	}
	const body = parseJson(rawBody);
	if (body.problem) return { response: 'notJson', problem: body.problem };
	const fields = { eventType: options.eventTypeField, eventId: options.eventIdField };
	const events = parseEvents(body.value, fields);
	if (events.problem) return { response: 'noEventType', problem: events.problem };
	if (events.value.length === 1) events.value[0].id ??= verified.value.id;

	const outputs = { events: selection, options };
	const outputIndexOf = createOutputIndex(outputs);
	const selected = events.value.filter(({ eventType }) => outputIndexOf(eventType) >= 0);
	if (selected.length === 0) {
		const ignored = new Set(events.value.map(({ eventType }) => eventType));
		return { response: 'ignored', details: { ignored: [...ignored] } };
	}

	const newEvents = dropDuplicates(context, selected, response, options);
	if (!newEvents) return { response: 'inFlight' };
	if (newEvents.length === 0) return { response: 'duplicate' };

	const more = options.includeHeaders ? { headers: withoutSecrets(headers, verified.value) } : {};
	const items = route(newEvents, outputs).map((output) =>
		output.map(({ json }) => ({ json: { ...json, ...more } as IDataObject })),
	);
	return { response: 'accepted', items };
}

/**
 * Ends the test execution with the reason, so that the person who listens in the editor sees it
 * instead of waiting on. The sender gets the row of the table, with the reason.
 *
 * @throws NodeOperationError always
 */
function failTestExecution(
	context: IWebhookFunctions,
	response: WebhookResponse,
	row: DeliveryResponse,
	{ message, fix }: Problem,
): never {
	respondToThrown(response, row, message);
	throw new NodeOperationError(
		context.getNode(),
		`The delivery got a response with status ${row.status}: ${message}`,
		{ description: `${fix} Then select Execute step and resend the event.` },
	);
}

/** Reads what n8n or `readCredential` has thrown. */
function toProblem(error: unknown): Problem {
	const message = error instanceof Error ? error.message : "the reason isn't known";
	const description = error instanceof NodeOperationError ? error.description : undefined;
	return { message, fix: description ?? 'Check the parameters of the node and its credential.' };
}

/**
 * Handles one delivery: a signed event that the workflow listens to starts an execution, which n8n
 * responds to; to everything else the trigger responds from the table of responses.
 *
 * @throws NodeOperationError only while the user listens in the editor. In production it never
 * throws: that would be a failed execution in the user's list.
 */
export async function handleDelivery(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = this.getRequestObject() as unknown as WebhookRequest;
	const response = this.getResponseObject() as unknown as WebhookResponse & ResponseState;
	const isTest = this.getMode() === 'manual';

	const decision = await decide(this, request, response).catch(
		(error: unknown): Decision => ({ response: 'notReady', problem: toProblem(error) }),
	);
	if (decision.response === 'accepted') {
		if (!isTest) failUnrecorded(response);
		return { workflowData: decision.items };
	}

	const row: DeliveryResponse = responses[decision.response satisfies ResponseName];
	if ('problem' in decision) {
		const reason = asSentences(decision.problem);
		this.logger.warn(`Payments Trigger responded to a delivery with ${row.status}: ${reason}`, {
			workflowId: this.getWorkflow().id,
			nodeName: this.getNode().name,
		});
		if (isTest) failTestExecution(this, response, row, decision.problem);
	}
	respond(response, row, 'details' in decision ? decision.details : {});
	return { noWebhookResponse: true };
}
