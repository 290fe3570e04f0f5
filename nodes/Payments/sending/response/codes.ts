import { asText } from '../../../shared/values';
import type { ErrorBody } from './errorBody';

/*
 * Codes by which services say what they know of an Event ID, which is the idempotency key. Each
 * entry is one that a service publishes, and names the event or the key: `duplicate_request` means
 * something else at each service. Others are stated in the credential.
 */

/**
 * The service has recorded the event. `idempotent_creation_conflict` isn't here: GoCardless sends
 * it for what exists, and Mangopay also for what it has rejected.
 */
const RECORDED = [
	'EVENT_ALREADY_EXISTS', // docs/interface.md, 11.2
	'IdempotencyKeyAlreadyExists', // Primer, refunds: apis.io/examples/primer; Bank 131: its PHP SDK
	'TransactionRequestIdempotencyKeyAlreadyExists', // Primer, payments: apis.io/examples/primer
	'request_id_duplicate', // Airwallex: airwallex.com/docs, error codes of wallet transfers
];

/** Another request with the same key isn't finished. */
const IN_PROGRESS = [
	'REQUEST_IN_PROGRESS', // docs/interface.md, 11.2
	'A request is outstanding for this Idempotency-Key', // IETF draft Idempotency-Key, section 2.7
	'idempotency_key_in_use', // Stripe: docs.stripe.com/error-codes
	'PREVIOUS_REQUEST_IN_PROGRESS', // PayPal: developer.paypal.com/api/rest/reference/orders/v2/errors
	'idempotency_in_progress', // PayMongo: developers.paymongo.com/docs/money-movement-best-practices
	'idempotency_key_in_flight', // BlindPay: blindpay.com/resources/more/stablecoin-api-idempotency-keys
	'Idempotency-Key Concurrency Conflict', // TrueLayer: docs.truelayer.com/docs/error-types
	'IDEMPOTENCY_RACE', // Rafiki: github.com/RafikiApi/openapi-clients
	'IDEMPOTENCY_CONCURRENT_REQUEST', // Shopify: shopify.dev/docs/api/admin-graphql
	'ERR_IDEMPOTENCY_KEY_IN_PROGRESS', // payware: github.com/payware/mcp-server, release 1.5.0
	'REQUEST_WITH_SAME_IDEMPOTENCY_KEY_ALREADY_IN_PROGRESS', // BlueSnap: developers.bluesnap.com
];

/** The service has the key with other content. */
const OTHER_CONTENT = [
	'IDEMPOTENCY_KEY_REUSED', // docs/interface.md, 11.2; Square; MobilePay
	'Idempotency-Key is already used', // IETF draft Idempotency-Key, section 2.7
	'idempotency_error', // Stripe: docs.stripe.com/api/errors
	'idempotency_key_already_used_error', // Increase: increase.com/documentation/idempotency-keys
	'idempotency_key_payload_mismatch', // BlindPay, as above
	'Idempotency-Key Reuse', // TrueLayer, as above
	'IDEMPOTENCY_KEY_PARAMETER_MISMATCH', // Shopify, as above
	'ERR_IDEMPOTENCY_KEY_REUSED', // payware, as above
	'SAME_IDEMPOTENCY_KEY_WAS_ALREADY_IN_USE_WITH_PREVIOUS_DIFFERENT_REQUEST', // BlueSnap
];

/** Headers by which a success status says that the service repeats its first response. */
const REPLAYED: Record<string, string> = {
	'idempotent-replayed': 'true', // Stripe: docs.stripe.com/api/idempotent_requests; Increase
	'request-idempotency': 'true', // PPRO: developerhub.ppro.com/global-api
	'x-idempotency-cache-hit': 'true', // Flutterwave: developer.flutterwave.com/docs/idempotency
	'x-idempotency-replayed': 'true', // fiskaly: developer.fiskaly.com
	'x-idempotency-status': 'replayed', // Integrated Finance: developer.integrated.finance
};

/** Whether a response with a success status says that the event was recorded before. */
export const isReplay = (headers: Record<string, unknown>): boolean =>
	Object.entries(REPLAYED).some(([name, value]) => isHeader(headers, name, value));

const isHeader = (headers: Record<string, unknown>, name: string, value: string): boolean =>
	asText(headers[name]).trim().toLowerCase() === value;

/** Codes compare as a whole, without case and without anything but letters and digits. */
export const normalize = (code: string): string =>
	code.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

export const CODES = {
	recorded: RECORDED,
	inProgress: IN_PROGRESS,
	otherContent: OTHER_CONTENT,
};
export type CodeMeaning = keyof typeof CODES;

const tableOf = (codes: readonly string[]): ReadonlySet<string> => new Set(codes.map(normalize));
const TABLES = {
	recorded: tableOf(RECORDED),
	inProgress: tableOf(IN_PROGRESS),
	otherContent: tableOf(OTHER_CONTENT),
};

/** Statuses with which a code counts. 425: RFC 8470. */
const STATUSES_WITH_CODES = new Set([400, 409, 422, 425]);

/**
 * Says what a response means by its codes.
 *
 * @param stated the credential's field Codes for Recorded Already
 * @returns `undefined` if it has no code that anybody stated
 */
export function meaningOfCodes(
	status: number,
	headers: Record<string, unknown>,
	{ codes, messages }: ErrorBody,
	stated: string,
): CodeMeaning | undefined {
	if (!STATUSES_WITH_CODES.has(status)) return undefined;
	const { statedCodes, statedTexts, states409 } = parseStated(stated);
	const normalized = codes.map(normalize);
	const isStated = normalized.some((code) => statedCodes.has(code));
	const others = normalized.filter((code) => !statedCodes.has(code));
	const has = (meaning: CodeMeaning) => others.some((code) => TABLES[meaning].has(code));

	if (has('inProgress')) return 'inProgress';
	if (status === 425) return undefined;
	if (isStated) return 'recorded';
	if (has('otherContent')) return 'otherContent';
	if (has('recorded')) return 'recorded';
	if (statedTexts.some((text) => messages.some((message) => message.includes(text))))
		return 'recorded';
	// Adyen: docs.adyen.com/development-resources/api-idempotency.
	if (isHeader(headers, 'transient-error', 'true')) return 'inProgress';
	if (status !== 409) return undefined;
	if (headers['retry-after'] !== undefined) return 'inProgress';
	return states409 ? 'recorded' : undefined;
}

/** Reads the field: codes and parts of messages, separated by commas, and perhaps 409. */
function parseStated(field: string) {
	const texts = field
		.split(',')
		.map((text) => text.trim())
		.filter((text) => normalize(text) !== '');
	const entries = texts.filter((text) => text !== '409');
	return {
		statedCodes: new Set(entries.map(normalize)),
		// A number in a message can be an amount.
		statedTexts: entries.filter((text) => !/^\d+$/.test(text)),
		states409: texts.includes('409'),
	};
}
