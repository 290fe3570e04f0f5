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

/** Every response to a delivery: the code responds from this table, the tests walk it, docs/responses.md repeats it. */
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
