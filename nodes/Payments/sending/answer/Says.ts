import type { StatusSays } from '../../../shared/statuses';
import type { RejectedToken } from '../../../shared/token/ClientToken';
import type { Conclusion, CreatedResult, DuplicateResult, SendFailure } from '../../results';
import type { CodeSays } from './codes';

/** What came of one request: what its status says, unless the response or the network says more. */
export type Says =
	| StatusSays
	/** A code, or a repeated response. */
	| CodeSays
	/** It would be `recorded`, and is about another Event ID. */
	| 'otherEvent'
	/** A success status, and JSON that says no. */
	| 'denied'
	/** A success status, and something that the service doesn't send, or that can't be read. */
	| 'unconfirmed'
	/** The request may have left, and nothing came back. */
	| 'noAnswer'
	/** The request didn't leave: there was no connection, or no token. */
	| 'notSent'
	/** As `notSent`, for a reason that may last: the host doesn't exist, or n8n blocks it. */
	| 'cannotBeSent';

/** What an answer shows of the service, for what is sent next. */
export type Shows =
	/**
	 * It works, and answered about this transaction: it took it, rejected it for what it is, or says
	 * what it has already, also where the outcome stays open (a conflict, still in progress).
	 */
	| 'decision'
	/** It responded, and not about the transaction: a refusal of the client or the address. */
	| 'undecided'
	/** Something else responded: a redirect, or a web page. No transaction causes that. */
	| 'elsewhere'
	/** It rejected the access token. */
	| 'token'
	/** It may not take more now: 429, 5xx, no response, or no connection. */
	| 'overload'
	/** Nothing can be sent to it, now or later. */
	| 'unusable';

export interface Meaning {
	/** What the transaction is, if this was its only attempt, and its last one. */
	outcome: Conclusion['outcome'];
	shows: Shows;
	/** Whether it's sent again: within Max Retry Time, or only with Retry on Unknown Outcome. */
	again: 'no' | 'yes' | 'ifAllowed';
}

const means = (
	outcome: Meaning['outcome'],
	shows: Shows,
	again: Meaning['again'] = 'no',
): Meaning => ({ outcome, shows, again });

/** What each answer means for its transaction, and for the list. No other table says so. */
export const MEANINGS: Readonly<Record<Says, Meaning>> = {
	success: means('created', 'decision'),
	recorded: means('duplicate', 'decision'),
	// The service has decided, so the same again tells no more.
	otherEvent: means('unknown', 'decision'),
	otherContent: means('unknown', 'decision'),
	conflict: means('unknown', 'decision'),
	denied: means('unknown', 'decision'),
	unconfirmed: means('unknown', 'undecided'),
	multiStatus: means('unknown', 'undecided'),
	inProgress: means('unknown', 'decision', 'yes'),
	refused: means('rejected', 'decision'),
	badForm: means('rejected', 'undecided'),
	forbidden: means('rejected', 'undecided'),
	noSuchPath: means('rejected', 'undecided'),
	wrongMethod: means('rejected', 'undecided'),
	proxySignIn: means('rejected', 'undecided'),
	tooEarly: means('rejected', 'undecided'),
	redirect: means('rejected', 'elsewhere'),
	// With another token, or with the same one if the service may not know it yet.
	unauthorized: means('rejected', 'token', 'yes'),
	limit: means('notSent', 'overload', 'yes'),
	notSent: means('notSent', 'overload', 'yes'),
	// At first, it ends the list. After a decision, the same can work again.
	cannotBeSent: means('notSent', 'unusable', 'yes'),
	unavailable: means('unknown', 'overload', 'yes'),
	serverError: means('unknown', 'overload', 'ifAllowed'),
	noAnswer: means('unknown', 'overload', 'ifAllowed'),
	seeOther: means('unknown', 'elsewhere', 'ifAllowed'),
	timeout: means('unknown', 'undecided', 'ifAllowed'),
	undefined: means('unknown', 'undecided', 'ifAllowed'),
};

/** What came of one attempt to send a transaction. */
export type Answer = {
	says: Says;
	/** As the table has it, unless a web page shows that something else answered. */
	shows: Shows;
	/** Whether another attempt is safe, or the user says that it is. */
	isSentAgain: boolean;
	/** ms that the service asks to wait. */
	waitMs?: number;
	/** Set if the service rejected the access token. */
	rejectedToken?: RejectedToken;
} & (
	| { taken: CreatedResult | DuplicateResult; failure?: undefined }
	/** In words, if it's the only attempt, and the last one. */
	| { taken?: undefined; failure: SendFailure }
);
