import type { IExecuteFunctions } from 'n8n-workflow';

import { rejectToken } from '../../shared/token/tokenRequest';
import { asText } from '../../shared/values';
import type { TransactionItem } from '../Transaction';
import { notSent, tokenRejected, unknownOutcome } from './outcome';
import { sendRequest, type ServiceRequest, type SharedCredential } from './request';
import {
	failed,
	readResponse,
	rejectsToken,
	type Attempt,
	type FailedAttempt,
} from './response/readResponse';
import type { ServiceResponse } from './response/responseBody';

export type { Attempt, FailedAttempt };

interface AttemptOptions extends Pick<ServiceRequest, 'url' | 'timeout'> {
	retryUnknownOutcome: boolean;
}

/** Sends a transaction once, and reads what the response says about it. Does not throw. */
export async function attemptToSend(
	context: IExecuteFunctions,
	credential: SharedCredential,
	item: TransactionItem,
	options: AttemptOptions,
): Promise<Attempt> {
	const sent = await sendRequest(context, credential, { ...options, body: item.transaction });
	switch (sent.kind) {
		case 'notSent':
			return failed(notSent(sent.problem.message, sent.problem.fix), {
				retryable: true,
				evidence: sent.temporary ? 'overload' : 'unusable',
			});
		case 'noResponse':
			return failed(unknownOutcome(sent.reason), {
				retryable: options.retryUnknownOutcome,
				evidence: 'overload',
			});
		case 'response':
			if (rejectsToken(sent)) return readTokenRejection(credential, sent);
			return readResponse(sent, item, {
				...options,
				recordedCodes: asText(credential.recordedCodes),
			});
	}
}

/** The next attempt takes another token: the current one, or a new one. */
const readTokenRejection = (
	credential: SharedCredential,
	response: ServiceResponse & { token: string },
): FailedAttempt => ({
	...failed(tokenRejected(response), { retryable: true, evidence: 'answer' }),
	tokenRejected: rejectToken(credential, response.token),
});
