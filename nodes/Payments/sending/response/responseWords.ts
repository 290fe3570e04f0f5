/* The words by which responses are read. They are words of services, and never shown. */

/**
 * The event, its ID, or the idempotency key, and not the transaction: "a similar transaction
 * exists" can be about another payment. `eventvalue` stands for the Event ID.
 */
export const SUBJECT = /\b(event|eventvalue|idempotency key|idempotent (key|creation))\b/;

/**
 * It exists: `EVENT_ALREADY_EXISTS`, `DUPLICATE_EVENT_ID`, "Event … has been recorded before",
 * `idempotent_creation_conflict` (GoCardless). Not "used": `IDEMPOTENCY_KEY_REUSED` (Square) and
 * `idempotency_key_already_used_error` (Increase) mean other content.
 */
export const EXISTS =
	/\b(exists?|existing|duplicated?|must be unique|already (been )?(recorded|processed|created|received|registered|known|stored|present)|(recorded|processed|created|received) (already|before|previously)|idempotent creation)\b/;

/**
 * All that may stand beside a subject and its existence. Any other word can change the meaning, so
 * with it the response isn't taken for `recorded`.
 */
export const NEUTRAL = new Set(
	`event eventvalue idempotency idempotent key id ids value transaction payment resource request object record creation
	exists exist existing already duplicate duplicated recorded processed created received registered known stored present before previously
	a an the this that same with of for by has have having is was were been be in it and must unique
	conflict http 409 400 422 status code error invalid state`.split(/\s+/),
);

/**
 * "A request is outstanding for this Idempotency-Key" (IETF draft, section 2.7),
 * `idempotency_key_in_use` (Stripe), `idempotency_in_progress` (PayMongo),
 * `PREVIOUS_REQUEST_IN_PROGRESS` (PayPal), `idempotency_key_in_flight` (BlindPay), "Idempotency-Key
 * Concurrency Conflict" (TrueLayer), `IDEMPOTENCY_RACE` (Rafiki), "is currently being processed".
 */
export const IN_PROGRESS =
	/\b(in progress|in flight|outstanding|ongoing|underway|(being|still|currently) (being )?(processed|processing)|key in use|(another|previous|concurrent|pending|simultaneous) (request|operation)|concurrent(ly)?|concurrency|race|not (yet )?(finished|completed?))\b/;
export const REQUEST = /\b(event|eventvalue|idempotency|idempotent|key|request)\b/;

/** The same key with another payment (IETF draft, section 2.7; Stripe, `idempotency_error`). */
export const OTHER_CONTENT =
	/\b(different|differs?|mismatch(ed)?|match(es)?|other (content|payload|body|parameters|request)|modified|changed|reused|payload|parameters?)\b/;

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

/** Members that name an error when they have a value, without case and separators. */
export const ERROR_NAMES = new Set(
	`error errors errorcode errormessage fault faults exception refusalreason declinereason declinecode rejectionreason failurereason failurecode failuremessage`.split(
		' ',
	),
);

/** Members that say whether the request succeeded. */
export const SUCCESS_NAMES = new Set(
	'success ok succeeded successful issuccess issuccessful issucceeded'.split(' '),
);

/**
 * What `status` says of the request in JSend (https://github.com/omniti-labs/jsend) and its like.
 * Other words, such as REJECTED, are a state of the transaction, which exists then.
 */
export const ERROR_STATUSES = new Set(['error', 'fail', 'failure', 'fault', 'declined', 'denied']);

/** Members with a code of the result. Any text in them that isn't one of a success is a doubt. */
export const CODE_NAMES = new Set('code resultcode responsecode returncode'.split(' '));
export const SUCCESS_CODE =
	/^(\d*|ok|success(ful)?|succeeded|accepted|created|approved|completed)$/i;

/** Words by which text beside 201 or 202 says something else. */
export const DOUBT = new Set(
	`not no cannot error fail failed failure invalid denied declined rejected refused blocked unauthorized forbidden unavailable timeout exception
	fraud insufficient exceeded suspended doesn isn wasn couldn won`.split(/\s+/),
);
