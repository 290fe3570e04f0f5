import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { responses, type DeliveryResponse, type ResponseName } from './responses';
import { deduplicate, type ResponseState } from './deduplication/deduplicate';
import { parseEvents } from './events/parseEvents';
import { outputOf, route, type OutputParameters } from './events/outputs';
import { defaults, type Options } from './description';
import { checkWebhookCredential, verify, type WebhookCredential } from './signature/verify';

/** What is used of the request: Express' own members, and what n8n adds to read the exact bytes. */
interface Incoming {
	headers: Record<string, string | string[] | undefined>;
	contentType?: string;
	rawBody?: Buffer;
	readRawBody(): Promise<void>;
}

/** What is used of Express' response. */
interface Outgoing extends ResponseState {
	status(code: number): { set(headers: Record<string, string>): { json(body: unknown): unknown } };
	json(body: unknown): unknown;
}

/** A way out of the table, with the reason for the log where one is due, and what else the sender is told. */
type Outcome =
	| { answer: Exclude<ResponseName, 'accepted' | 'unrecorded'>; log?: string; more?: IDataObject }
	| { answer: 'accepted'; items: INodeExecutionData[][] };

/** Headers that give power to whoever reads them; they never become part of an item. */
const SECRET_HEADERS = ['authorization', 'cookie', 'proxy-authorization'];

/** The exact bytes of the body; undefined when they cannot be had. */
const bytesOf = async (request: Incoming): Promise<Buffer | undefined> => {
	try {
		// n8n reads only some content types itself; of a form with files it has used up the stream, and reading again could wait for ever.
		if (!request.rawBody && request.contentType !== 'multipart/form-data')
			await request.readRawBody();
	} catch {
		return undefined;
	}
	return request.rawBody;
};

const visibleHeaders = (headers: Incoming['headers'], endpoint: WebhookCredential): IDataObject => {
	const secret = [
		...SECRET_HEADERS,
		...(endpoint.scheme === 'headerValue'
			? [String(endpoint.headerName).trim().toLowerCase()]
			: []),
	];
	return Object.fromEntries(Object.entries(headers).filter(([name]) => !secret.includes(name)));
};

const decide = async (
	context: IWebhookFunctions,
	request: Incoming,
	response: Outgoing,
): Promise<Outcome> => {
	const options: Options = {
		...defaults,
		...(context.getNodeParameter('options', {}) as Partial<Options>),
	};
	const verifies = context.getNodeParameter('authentication') !== 'none';
	const endpoint: WebhookCredential = verifies
		? await context.getCredentials('paymentsWebhookApi')
		: {};
	const problem = verifies && checkWebhookCredential(endpoint);
	if (problem) return { answer: 'notReady', log: problem };

	const rawBody = await bytesOf(request);
	if (!rawBody) return { answer: 'empty', log: 'its body could not be read' };
	let deliveryId: string | undefined;
	if (verifies) {
		const verdict = verify(
			endpoint,
			{ rawBody, headers: request.headers },
			{ now: Date.now(), maximumAgeMinutes: Number(options.maximumAge) },
		);
		if (!verdict.accepted) return { answer: 'refused', log: verdict.reason };
		deliveryId = verdict.id;
	}

	const events = parseEvents(rawBody, { kind: options.eventMember, id: options.eventIdMember });
	if (typeof events === 'string') return { answer: events, log: responses[events].message };
	if (events.length === 1) events[0].id ??= deliveryId;

	const choice: OutputParameters = {
		events: context.getNodeParameter('events', []) as string[],
		options,
	};
	const indexOf = outputOf(choice);
	const chosen = events.filter(({ kind }) => indexOf(kind) >= 0);
	if (chosen.length === 0)
		return { answer: 'ignored', more: { ignored: [...new Set(events.map(({ kind }) => kind))] } };

	// While the user tries the workflow out in the editor, every delivery is shown.
	const fresh =
		options.skipRepeated && context.getMode() !== 'manual'
			? deduplicate(`${context.getWorkflow().id}/${context.getNode().id}`, chosen, response)
			: chosen;
	if (fresh === 'underWay') return { answer: 'underWay' };
	if (fresh.length === 0) return { answer: 'repeated' };

	const headers = options.includeHeaders
		? { headers: visibleHeaders(request.headers, endpoint) }
		: {};
	return {
		answer: 'accepted',
		items: route(fresh, choice).map((output) =>
			output.map(({ json }) => ({ json: { ...json, ...headers } as IDataObject })),
		),
	};
};

/**
 * Turns n8n's answer for a run without a record into a failure. n8n says 200 for it, with words of its own, where a run that succeeded is answered
 * without any (`responseData` in the node's description): so it does when the database was away as the run ended, whatever came of the run.
 */
function refuseUnrecorded(response: Outgoing) {
	const json = response.json.bind(response);
	response.json = (body) => {
		if (body === undefined || response.statusCode >= 300) return json(body);
		response.status(responses.unrecorded.status);
		return json({ message: responses.unrecorded.message });
	};
}

/**
 * Takes one delivery: a signed event that the workflow listens to becomes a run, which n8n responses; everything else is
 * answered here, from the table of responses. Never throws: a throw would be a failed execution in the user's list.
 */
export async function handleDelivery(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const response = this.getResponseObject() as unknown as Outgoing;
	let outcome: Outcome;
	try {
		outcome = await decide(this, this.getRequestObject() as unknown as Incoming, response);
	} catch (error) {
		outcome = {
			answer: 'notReady',
			log: error instanceof Error ? error.message : 'unknown problem',
		};
	}
	if (outcome.answer === 'accepted') {
		if (this.getMode() !== 'manual') refuseUnrecorded(response);
		return { workflowData: outcome.items };
	}

	const { status, message, retryAfter }: DeliveryResponse = responses[outcome.answer];
	if (outcome.log)
		this.logger.warn(`Payments Trigger answered a delivery with ${status}: ${outcome.log}`, {
			workflowId: this.getWorkflow().id,
			nodeName: this.getNode().name,
		});
	response
		.status(status)
		.set(retryAfter ? { 'Retry-After': String(retryAfter) } : {})
		.json({ message, ...outcome.more });
	return { noWebhookResponse: true };
}
