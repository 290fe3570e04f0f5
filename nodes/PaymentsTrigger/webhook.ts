import {
	NodeOperationError,
	type IDataObject,
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { asSentences, ok, type Problem, type Result } from '../shared/result';
import { deduplicatorOf, identifyDelivery } from './deduplicate';
import { idsOf, listTexts, placeOf } from './logPlace';
import { parseEvents, parseJson } from './parseEvents';
import {
	isWithoutRecord,
	replaceResponse,
	respond,
	responses,
	whenAnswered,
	type DeliveryResponse,
	type ResponseName,
	type WebhookResponse,
} from './responses';
import { readSettings } from './settings';
import type { Delivery, VerifiedDelivery } from './signature/scheme';
import { readVerifier, verify, type WebhookCredential } from './signature/verify';

/** What is used of Express' request, and what n8n adds to it to read the exact bytes. */
interface WebhookRequest {
	headers: Record<string, string | string[] | undefined>;
	contentType?: string;
	rawBody?: Buffer;
	readRawBody(): Promise<void>;
}

/** What becomes of a delivery: the items of an execution, or a response from the table. */
type Decision = Accepted | Declined;

interface Accepted {
	response: 'accepted';
	items: INodeExecutionData[];
	/** Has to hear what n8n responded with, if the delivery is one to remember. */
	onAnswered?: (isAcknowledged: boolean) => void;
}

interface Declined {
	response: Exclude<ResponseName, 'accepted' | 'unrecorded'>;
	/** For the log, and for who listens in the editor. Names no secret and nothing of the body. */
	problem?: Problem;
	/** What the response has besides. */
	details?: object;
}

async function readBody(request: WebhookRequest): Promise<Buffer | undefined> {
	// n8n has consumed the stream of a multipart form; reading it again could wait forever.
	const isReadable = request.contentType !== 'multipart/form-data';
	if (isReadable) await request.readRawBody().catch(() => undefined);
	return request.rawBody;
}

/** @throws when the credential can't be read or can't verify a signature */
async function verifyDelivery(
	context: IWebhookFunctions,
	delivery: Delivery,
	toleranceMs: number,
): Promise<Result<VerifiedDelivery>> {
	const credential = await context.getCredentials<WebhookCredential>('paymentsWebhookApi');
	const { value: verifier, problem } = readVerifier(credential);
	if (problem) {
		throw new NodeOperationError(context.getNode(), problem.message, { description: problem.fix });
	}
	return verify(verifier, delivery, { now: Date.now(), toleranceMs });
}

/** Decides what becomes of a delivery. An accepted one is in flight until its `onAnswered`. */
async function decide(
	context: IWebhookFunctions,
	{ headers }: WebhookRequest,
	rawBody: Buffer | undefined,
): Promise<Decision> {
	const settings = readSettings((name, fallback) => context.getNodeParameter(name, fallback));
	if (settings.problem) return { response: 'notReady', problem: settings.problem };
	const { isSelected, isVerified, toleranceMs, deduplicateMs } = settings.value;

	if (!rawBody) {
		const problem = { message: "its body couldn't be read", fix: 'Use JSON, not a form.' };
		return { response: 'empty', problem };
	}
	const verified = isVerified
		? await verifyDelivery(context, { rawBody, headers }, toleranceMs)
		: ok<VerifiedDelivery>({});
	if (verified.problem) return { response: 'rejected', problem: verified.problem };

	if (rawBody.length === 0) {
		const problem = { message: 'it has no body', fix: 'Set the service to send the event.' };
		return { response: 'empty', problem };
	}
	const body = parseJson(rawBody);
	if (body.problem) return { response: 'notJson', problem: body.problem };
	const events = parseEvents(body.value, verified.value.id);
	if (events.problem) return { response: 'noEventType', problem: events.problem };

	const selected = events.value.filter(({ eventType }) => isSelected(eventType));
	if (selected.length === 0) {
		const ignored = [...new Set(events.value.map(({ eventType }) => eventType))];
		const problem = {
			message: `'Trigger On' doesn't have ${listTexts(ignored)}`,
			fix: "Select the event type under 'Trigger On', or enter it under 'Additional Event Types'.",
		};
		return { response: 'ignored', problem, details: { ignored } };
	}
	const items = selected.map(({ json }) => ({ json: json as IDataObject }));
	// In the editor, the user sees every delivery.
	if (deduplicateMs === 0 || context.getMode() === 'manual') return { response: 'accepted', items };
	const trigger = `${context.getWorkflow().id}/${context.getNode().id}`;
	const deduplicator = deduplicatorOf(trigger, deduplicateMs);
	const key = identifyDelivery(rawBody, verified.value.id);
	const state = deduplicator.begin(key);
	if (state !== 'new') return { response: state };
	const onAnswered = (isAcknowledged: boolean) => deduplicator.end(key, isAcknowledged);
	return { response: 'accepted', items, onAnswered };
}

/** Reads what n8n or `verifyDelivery` has thrown. */
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
	const response = this.getResponseObject() as unknown as WebhookResponse;
	const isTest = this.getMode() === 'manual';

	const rawBody = await readBody(request);
	const decision = await decide(this, request, rawBody).catch((error: unknown): Decision => ({
		response: 'notReady',
		problem: toProblem(error),
	}));
	if (decision.response === 'accepted') {
		if (!isTest) replaceResponse(response, responses.unrecorded, {}, isWithoutRecord);
		if (decision.onAnswered) whenAnswered(response, decision.onAnswered);
		return { workflowData: [decision.items] };
	}
	log(this, decision, idsOf(request.headers, rawBody));
	decline(this, response, decision, isTest);
	return { noWebhookResponse: true };
}

/** Logs why a delivery starts no execution. */
function log(context: IWebhookFunctions, { response, problem }: Declined, ids: string): void {
	const { status, message }: DeliveryResponse = responses[response];
	const isWarning = status !== 200 && problem !== undefined;
	const reason = isWarning ? asSentences(problem) : (problem?.message ?? message);
	const text = `Payments Trigger responded to a delivery with ${status} (${placeOf(context, ids)}): ${reason}`;
	const details = { workflowId: context.getWorkflow().id, nodeName: context.getNode().name };
	context.logger[isWarning ? 'warn' : 'info'](text, details);
}

/**
 * Responds to a delivery that starts no execution. n8n shows nothing of it, so a test execution
 * ends with the reason, and the person who listens in the editor doesn't wait on.
 *
 * @throws NodeOperationError only while the user listens in the editor
 */
function decline(
	context: IWebhookFunctions,
	response: WebhookResponse,
	{ response: name, problem, details }: Declined,
	isTest: boolean,
): void {
	const row: DeliveryResponse = responses[name];
	if (!isTest || !problem) return respond(response, row, details);
	// n8n responds to what is thrown.
	replaceResponse(response, row, details ?? { reason: problem.message });
	throw new NodeOperationError(
		context.getNode(),
		`The delivery got a response with status ${row.status}: ${problem.message}`,
		{ description: `${problem.fix} Then select Execute step and resend the event.` },
	);
}
