import { asText, isObject } from '../shared/values';

/** One way to respond to a delivery. */
export interface DeliveryResponse {
	status: number;
	/** Sent to the sender. When an execution fails, n8n responds with a 500 of its own. */
	message: string;
	/** Value of the Retry-After header, in seconds. */
	retryAfter?: number;
}

/** Every response to a delivery. docs/payments-trigger.md has the same table. */
export const responses = {
	accepted: { status: 200, message: '' },
	ignored: { status: 200, message: "The workflow doesn't listen to events of this type." },
	duplicate: {
		status: 200,
		message: 'This event was already acknowledged. To run it again, retry its execution in n8n.',
	},
	empty: { status: 400, message: 'The delivery has no body that can be read.' },
	notJson: { status: 400, message: "The body isn't JSON in UTF-8." },
	noEventType: { status: 400, message: 'The body has no event, or an event without a type.' },
	rejected: {
		status: 401,
		message: "The signature of this delivery wasn't accepted. The log of the receiver says why.",
	},
	unrecorded: {
		status: 500,
		message: "It isn't known whether the workflow succeeded. Retry the delivery.",
	},
	inFlight: {
		status: 503,
		message: 'Another delivery of this event is being processed. Retry later.',
		retryAfter: 30,
	},
	notReady: {
		status: 503,
		message: "The receiver isn't set up. Its log says why. Retry later.",
		retryAfter: 300,
	},
} satisfies Record<string, DeliveryResponse>;

export type ResponseName = keyof typeof responses;

/** What is used of Express' response. */
export interface WebhookResponse {
	statusCode: number;
	status(code: number): WebhookResponse;
	set(headers: Record<string, string>): WebhookResponse;
	json(body: unknown): unknown;
	end(...body: unknown[]): unknown;
}

/** Responds from the table. */
export function respond(
	response: WebhookResponse,
	{ status, message, retryAfter }: DeliveryResponse,
	details: object = {},
): void {
	if (retryAfter) response.set({ 'Retry-After': String(retryAfter) });
	response.status(status);
	response.json({ message, ...details });
}

/**
 * Responds from the table in place of n8n.
 *
 * @param isReplaced whether n8n's body is one to replace
 */
export function replaceResponse(
	response: WebhookResponse,
	row: DeliveryResponse,
	details: object = {},
	isReplaced: (body: unknown) => boolean = () => true,
): void {
	const json = response.json.bind(response);
	response.json = (body) => {
		response.json = json;
		return isReplaced(body) ? respond(response, row, details) : json(body);
	};
}

/**
 * What n8n says, with status 200, of an execution without a record of its end, whatever became of
 * it: for example when the database was down at that time (executeWebhook in n8n's
 * webhook-helpers). To one that succeeded it responds without a body (`responseData` in the node's
 * description).
 */
export const WITHOUT_RECORD = [
	'Workflow executed successfully but no data was returned',
	'Workflow executed successfully but the last node did not return any data',
];

export const isWithoutRecord = (body: unknown): boolean =>
	isObject(body) && WITHOUT_RECORD.includes(asText(body.message));

/**
 * Calls back when n8n responds, also if the sender has hung up by then.
 *
 * @param callback gets whether the response is a success
 */
export function whenAnswered(
	response: WebhookResponse,
	callback: (succeeded: boolean) => void,
): void {
	const end = response.end.bind(response);
	response.end = (...body) => {
		response.end = end;
		callback(response.statusCode >= 200 && response.statusCode < 300);
		return end(...body);
	};
}
