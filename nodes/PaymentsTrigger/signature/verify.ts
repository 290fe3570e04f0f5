import { headerValue } from './headerValue';
import { hmacSha256 } from './hmacSha256';
import { messageSignature } from './messageSignature';
import { rejected, type Delivery, type Scheme, type VerificationResult } from './scheme';
import { keysOf, standardWebhooks } from './standardWebhooks';

const schemes = { messageSignature, standardWebhooks, hmacSha256, headerValue } satisfies Record<
	string,
	Scheme
>;

/** The data of a Payments Webhook API credential. Users type it, so any member can be missing or of another type. */
export interface WebhookCredential {
	scheme?: unknown;
	secret?: unknown;
	previousSecret?: unknown;
	headerName?: unknown;
}

/** The name of an HTTP header: a token (RFC 9110, section 5.6.2). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;

/** What a sender can put into an HTTP header as it is: printable ASCII (RFC 9110, section 5.5). */
const HEADER_VALUE = /^[\x20-\x7e]+$/;

const toText = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

const isScheme = (name: string): name is keyof typeof schemes => Object.hasOwn(schemes, name);

/** Lists the secret and, while it is rotated, the previous one. */
const secretsOf = ({ secret, previousSecret }: WebhookCredential): string[] =>
	[toText(secret), toText(previousSecret)].filter((one) => one !== '');

/**
 * Checks whether a credential can verify deliveries.
 *
 * @returns what keeps it from working and how to fix it, or undefined. Never names a secret.
 */
export function checkWebhookCredential(credential: WebhookCredential): string | undefined {
	const scheme = toText(credential.scheme);
	if (!isScheme(scheme)) {
		return "The 'Signature Scheme' isn't one of the list. Select one in the credential.";
	}
	if (!toText(credential.secret)) {
		return "The secret is empty. Copy the secret of the webhook endpoint from the service's dashboard into the credential.";
	}
	const secrets = secretsOf(credential);
	if (scheme === 'standardWebhooks' && secrets.some((secret) => keysOf(secret).length === 0)) {
		return "A secret that starts with whsec_ must be followed by base64. Copy the whole secret again from the service's dashboard.";
	}
	if (scheme === 'headerValue' && !secrets.every((secret) => HEADER_VALUE.test(secret))) {
		return "The secret has characters that an HTTP header can't carry, so no delivery can match it. Set a value of unaccented letters, digits, and ASCII symbols, both in the service and in the credential.";
	}
	const needsHeaderName = scheme === 'hmacSha256' || scheme === 'headerValue';
	if (needsHeaderName && !HEADER_NAME.test(toText(credential.headerName))) {
		return "The 'Header Name' is empty or isn't the name of an HTTP header. Enter the name of the header that the service sends, for example X-Signature.";
	}
	return undefined;
}

/**
 * Verifies that a delivery comes from the holder of the secret. Never throws.
 *
 * @param credential anything incomplete in it rejects every delivery
 * @param delivery exact bytes and headers
 * @param clock `now` in milliseconds since the epoch, `toleranceMinutes` for the schemes with a timestamp
 */
export function verify(
	credential: WebhookCredential,
	delivery: Delivery,
	clock: { now: number; toleranceMinutes: number },
): VerificationResult {
	try {
		const scheme = toText(credential.scheme);
		if (checkWebhookCredential(credential) || !isScheme(scheme)) {
			return rejected('the credential is not complete');
		}
		return schemes[scheme](delivery, {
			secrets: secretsOf(credential),
			headerName: toText(credential.headerName).toLowerCase(),
			timestampTolerance: clock.toleranceMinutes * 60,
			now: clock.now / 1000,
		});
	} catch {
		return rejected('it could not be read');
	}
}
