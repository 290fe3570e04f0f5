/** One way out of the trigger. `message` goes to the sender; what a `run` responses when the workflow fails is n8n's own 500. */
export interface DeliveryResponse {
	status: number;
	run: boolean;
	message: string;
	/** Seconds after which the sender may try again. */
	retryAfter?: number;
}

/** Every way out of the trigger: the code responses from this table, the tests walk it, docs/trigger.md repeats it. */
export const responses = {
	accepted: { status: 200, run: true, message: '' },
	ignored: {
		status: 200,
		run: false,
		message: 'The workflow does not listen to events of this kind.',
	},
	repeated: { status: 200, run: false, message: 'This event was taken before.' },
	empty: { status: 400, run: false, message: 'The delivery has no body that can be read.' },
	notJson: { status: 400, run: false, message: 'The body is not JSON in UTF-8.' },
	noKind: {
		status: 400,
		run: false,
		message: 'The body holds no event, or an event without a kind.',
	},
	refused: {
		status: 401,
		run: false,
		message: 'The signature of this delivery was not accepted. The log of the receiver says why.',
	},
	unrecorded: {
		status: 500,
		run: true,
		message: 'Whether the workflow succeeded is not known. Send the event again.',
	},
	underWay: {
		status: 503,
		run: false,
		message: 'Another delivery of this event is being processed. Send it again later.',
		retryAfter: 30,
	},
	notReady: {
		status: 503,
		run: false,
		message: 'The receiver is not set up. Its log says why. Send the event again later.',
		retryAfter: 300,
	},
} satisfies Record<string, DeliveryResponse>;

export type ResponseName = keyof typeof responses;
