/** One way to respond to a delivery. */
export interface DeliveryResponse {
	status: number;
	/** Whether the delivery starts an execution. */
	execution: boolean;
	/** Sent to the sender. When an execution fails, n8n responds with a 500 of its own. */
	message: string;
	/** Value of the Retry-After header, in seconds. */
	retryAfter?: number;
}

/** Every response to a delivery. docs/payments-trigger.md has the same table. */
export const responses = {
	accepted: { status: 200, execution: true, message: '' },
	ignored: {
		status: 200,
		execution: false,
		message: "The workflow doesn't listen to events of this type.",
	},
	duplicate: {
		status: 200,
		execution: false,
		message:
			'This event was already acknowledged. To run it again, retry its execution in n8n, or resend it after the deduplication window.',
	},
	empty: { status: 400, execution: false, message: 'The delivery has no body that can be read.' },
	notJson: { status: 400, execution: false, message: "The body isn't JSON in UTF-8." },
	noEventType: {
		status: 400,
		execution: false,
		message: 'The body has no event, or an event without a type.',
	},
	rejected: {
		status: 401,
		execution: false,
		message: "The signature of this delivery wasn't accepted. The log of the receiver says why.",
	},
	unrecorded: {
		status: 500,
		execution: true,
		message: "It isn't known whether the workflow succeeded. Retry the delivery.",
	},
	inFlight: {
		status: 503,
		execution: false,
		message: 'Another delivery of this event is being processed. Retry later.',
		retryAfter: 30,
	},
	notReady: {
		status: 503,
		execution: false,
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
 * Turns n8n's response to an execution without a record into a 500. n8n responds to it with 200 and
 * words of its own, whatever became of the execution: for example when the database was down as the
 * execution ended. The response to an execution that succeeded has no body (`responseData` in the
 * node's description).
 */
export function failUnrecorded(response: WebhookResponse): void {
	const json = response.json.bind(response);
	response.json = (body) => {
		if (body === undefined || response.statusCode >= 300) return json(body);
		response.status(responses.unrecorded.status);
		return json({ message: responses.unrecorded.message });
	};
}

/**
 * Replaces n8n's response to what the trigger throws, a 500 with n8n's own words, with a row of the
 * table and the reason.
 */
export function respondToThrown(
	response: WebhookResponse,
	row: DeliveryResponse,
	reason: string,
): void {
	const json = response.json.bind(response);
	response.json = () => {
		response.json = json;
		respond(response, row, { reason });
	};
}
