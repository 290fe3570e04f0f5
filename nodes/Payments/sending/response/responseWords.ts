/* The words by which responses are read. They are words of services, and never shown. */

/** Members that name an error when they have a value, without case and separators. */
export const ERROR_NAMES = new Set(
	`error errors errorcode errormessage refusalreason declinereason declinecode rejectionreason failurereason failurecode failuremessage`.split(
		' ',
	),
);

/** The event, its ID, the idempotency key, or the transaction. `eventvalue` is the ID's value. */
const SUBJECT = '(?:event|idempotency(?: key)?|transaction|eventvalue)(?: ids?| keys?)?';
/** Words that may stand between a subject and what is said of it. */
const BETWEEN =
	'(?:a|an|the|this|that|same|with|of|for|has|have|having|is|was|been|id|key|value|event|transaction|idempotency|eventvalue|supplied|request)';
const RECORDED =
	'(?:recorded|processed|created|received|registered|submitted|used|known|stored|accepted|taken|present|seen|sent|there)';

/** `Event e1 already exists`, `TRANSACTION_EXISTS`, `Idempotency key is a duplicate`. */
export const SUBJECT_FIRST = new RegExp(
	`\\b${SUBJECT}(?: ${BETWEEN})*(?: already(?: ${BETWEEN})*)? (?:(?:exists?|duplicated?)|(?<=already(?: ${BETWEEN})* )(?:in use|${RECORDED})|(?:${RECORDED}|in use)(?= (?:already|before|previously)))(?= |$)`,
);
/**
 * `DUPLICATE_EVENT_ID`, `already processed this transaction`. A "duplicate transaction" can be
 * another one with the same amount
 * (https://developer.paypal.com/api/errors/duplicate-transactions.md).
 */
export const SUBJECT_LAST = new RegExp(
	`\\b(?:duplicated?(?= (?:event|idempotency|eventvalue)\\b)|already(?: ${BETWEEN})* ${RECORDED})(?: ${BETWEEN})* ${SUBJECT}(?= |$)`,
);
/** `EVENT_ID_IN_USE`, `IDEMPOTENCY_KEY_USED`: a code leaves out the small words. */
export const CODE_ALONE = new RegExp(`^(?:${SUBJECT} ${RECORDED}|event(?: ids?)? in use)$`);

/** With any of these, the response says more than that the event exists, so it's a rejection. */
export const DOUBT = new Set(
	`not no never cannot doesn isn wasn hasn won couldn blocked block blocks declined decline rejected reject refused denied forbidden
	prevented prevents prevent failed fails failure fraud fraudulent risk compliance sanctions sanctioned policy rule rules limit limits exceeded
	insufficient funds balance closed frozen suspended inactive disabled expired canceled cancelled reversed voided
	different differs differ mismatch modified changed another other progress processing pending concurrent locked retry
	concurrency race conflicting payload mismatched parameters body suspected suspicious awaiting approval velocity check checks watchlist blacklisted error errors exception possible potential likely similar identical recent recently within review reviewed held hold`.split(
		/\s+/,
	),
);

/** What a warning says when something is there. */
export const EXISTENCE = new Set(
	'exist exists existing already duplicate duplicated used unique taken recorded processed'.split(
		' ',
	),
);

/** Other subjects of a conflict (service interface, section 2.1, and other services). */
export const OTHER_SUBJECT = new Set(
	`external status reference amount currency scheme sender recipient entity channel country party account accounts wallet beneficiary
	payee payer customer client user member iban card invoice merchant name email mandate token`.split(
		/\s+/,
	),
);

/** A code of such words alone doesn't say what exists already. */
export const GENERIC_CODE_WORDS = new Set(
	`state conflict duplicate duplicated already exists exist resource request requests invalid unique constraint violation data http 409
	status code client api`.split(/\s+/),
);

/** Only the status's own words. */
export const STATUS_WORDS = new Set([
	'409',
	'conflict',
	'http',
	'status',
	'error',
	'code',
	'about',
	'blank',
]);

/** Members that say where and when, and not why. */
export const METADATA = new Set(
	`path instance timestamp date time requestid request_id traceid trace_id correlationid`.split(
		' ',
	),
);
