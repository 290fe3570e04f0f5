import type { Problem } from '../../shared/result';

/** Names in lower case. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A way to sign that is in use, and that no scheme verifies. */
interface UnsupportedForm {
	/** How the signature looks, for messages. */
	name: string;
	matches: (value: string, header: string) => boolean;
}

const FORMS: UnsupportedForm[] = [
	{
		// A time, and signatures over time.body: Stripe (https://docs.stripe.com/webhooks/signature),
		// Calendly, Persona, TabaPay, and, as ts=…;h1=…, Paddle.
		name: 't=…,v1=… (as Stripe)',
		matches: (value) => /^ts?=\d{9,13}\s*[,;]\s*[a-z]\w*=[\w+/=-]{20,}/i.test(value),
	},
	{
		// https://docs.slack.dev/authentication/verifying-requests-from-slack, and Zoom.
		name: 'v0=… over v0:time:body (as Slack)',
		matches: (value) => /^v0=[0-9a-f]{64}$/i.test(value),
	},
	{
		// RFC 9421, section 4.1. "digest" alone is covered by the draft that a scheme verifies.
		name: 'HTTP Message Signatures of RFC 9421',
		matches: (value, header) =>
			header === 'signature-input' &&
			/^[^\s=,;"()]+=\(/.test(value) &&
			!/^[^\s=,;"()]+=\("digest"\)/.test(value),
	},
];

/**
 * Names how a delivery is signed, if that is a known form that no scheme verifies.
 *
 * @param headers those of the delivery, or only the one that the signature should be in
 */
function nameUnsupportedForm(headers: Headers): string | undefined {
	for (const [header, values] of Object.entries(headers)) {
		for (const value of [values ?? []].flat()) {
			const form = FORMS.find(({ matches }) => matches(value.trim(), header));
			if (form) return form.name;
		}
	}
	return undefined;
}

/** Explains a delivery with a signature of a known form that no scheme verifies. */
export function explainUnsupportedForm(headers: Headers): Problem | undefined {
	const form = nameUnsupportedForm(headers);
	if (form === undefined) return undefined;
	return {
		message: `its signature has the form ${form}, which isn't supported`,
		fix: "If the service can sign in another way, select one of the signature schemes there and in the credential. Otherwise, use n8n's Webhook node, and verify the signature in the workflow.",
	};
}
