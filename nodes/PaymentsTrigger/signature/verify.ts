import { headerValue } from './headerValue';
import { hmacSha256 } from './hmacSha256';
import { messageSignature } from './messageSignature';
import { rejected, type Delivery, type Scheme, type VerificationResult } from './scheme';
import { keysOf, standardWebhooks } from './standardWebhooks';

const schemes = { messageSignature, standardWebhooks, hmacSha256, headerValue } satisfies Record<
	string,
	Scheme
>;

/** What the credential "Payments Webhook API" holds. All of it is typed by a user, so nothing of it is taken for granted. */
export interface WebhookCredential {
	scheme?: unknown;
	secret?: unknown;
	previousSecret?: unknown;
	headerName?: unknown;
}

const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
const isScheme = (name: string): name is keyof typeof schemes => Object.hasOwn(schemes, name);

/** Says what keeps an endpoint's credential from working, and what to do about it; nothing when it can work. */
export function checkWebhookCredential(endpoint: WebhookCredential): string | undefined {
	const scheme = text(endpoint.scheme);
	if (!isScheme(scheme))
		return 'The signature scheme is not one of those offered. Choose one in the credential.';
	if (!text(endpoint.secret))
		return 'The secret is empty. Copy the secret of the webhook endpoint from the dashboard of the service into the credential.';
	if (
		scheme === 'standardWebhooks' &&
		[endpoint.secret, endpoint.previousSecret]
			.map(text)
			.some((one) => one && keysOf(one).length === 0)
	) {
		return 'A secret that starts with whsec_ must be followed by base64. Copy the whole secret again from the dashboard of the service.';
	}
	if (
		(scheme === 'hmacSha256' || scheme === 'headerValue') &&
		!/^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(text(endpoint.headerName))
	) {
		return 'The header name is empty or not the name of an HTTP header. Enter the name of the header that the service sends, for example X-Signature.';
	}
	return undefined;
}

/**
 * The one way in: decides whether a delivery comes from who holds the secret.
 *
 * @param endpoint the credential; anything incomplete in it refuses every delivery
 * @param delivery exact bytes and headers
 * @param clock `now` in milliseconds since the epoch, `maximumAgeMinutes` for the schemes that carry a time
 * @returns accepted, or the reason in words that name no secret and nothing of the body. Never throws.
 */
export function verify(
	endpoint: WebhookCredential,
	delivery: Delivery,
	clock: { now: number; maximumAgeMinutes: number },
): VerificationResult {
	try {
		const scheme = text(endpoint.scheme);
		if (checkWebhookCredential(endpoint) || !isScheme(scheme))
			return rejected('the credential is not complete');
		return schemes[scheme](delivery, {
			secrets: [text(endpoint.secret), text(endpoint.previousSecret)].filter(Boolean),
			headerName: text(endpoint.headerName).toLowerCase(),
			maximumAge: clock.maximumAgeMinutes * 60,
			now: clock.now / 1000,
		});
	} catch {
		return rejected('it could not be read');
	}
}
