import { parseRecordedCodes } from '../../../nodes/Payments/recordedCodes';
import { readResponse } from '../../../nodes/Payments/sending/answer/readAnswer';
import type { Answer } from '../../../nodes/Payments/sending/answer/Says';
import type { Transaction } from '../../../nodes/Payments/Transaction';
import { receive } from '../../../nodes/shared/serviceResponse';
import { SAMPLE } from './transactions';

interface Situation {
	headers?: Record<string, string>;
	/** The credential's field Codes for Recorded Already. */
	stated?: string;
	sent?: Transaction;
	retryUnknownOutcome?: boolean;
	token?: string;
}

/** What the node makes of a response to the sample transaction. */
export function answerTo(
	status: number,
	body?: unknown,
	{
		headers = {},
		stated = '',
		sent = SAMPLE,
		retryUnknownOutcome = false,
		token = '',
	}: Situation = {},
): Answer {
	const recordedCodes = parseRecordedCodes(stated).value!;
	const response = receive({ status, headers, body }, token);
	return readResponse(response, sent, { retryUnknownOutcome, recordedCodes });
}

/** The same, in words. */
export function conclusionOf(...args: Parameters<typeof answerTo>) {
	const { taken, failure } = answerTo(...args);
	return taken ?? failure;
}
