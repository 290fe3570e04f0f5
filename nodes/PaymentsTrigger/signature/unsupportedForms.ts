import type { Problem } from '../../shared/result';

/** Forms that are in use and that no scheme verifies, by a header: its name, and its value. */
const UNSUPPORTED_FORMS: Array<[header: RegExp, form: string]> = [
	// A time, and signatures over time.body: Stripe (https://docs.stripe.com/webhooks/signature),
	// Calendly, Persona, TabaPay, and, as ts=…;h1=…, Paddle.
	[/^[^:]+: ts?=\d{9,13}\s*[,;]\s*[a-z]\w*=[\w+/=-]{20}/i, 't=…,v1=… (as Stripe)'],
	// https://docs.slack.dev/authentication/verifying-requests-from-slack, and Zoom.
	[/^[^:]+: v0=[0-9a-f]{64}$/i, 'v0=… over v0:time:body (as Slack)'],
	// RFC 9421, section 4.1. "digest" alone is covered by the draft that a scheme verifies.
	[/^signature-input: [^\s=,;"()]+=\((?!"digest"\))/, 'HTTP Message Signatures of RFC 9421'],
];

/**
 * Explains a delivery with a signature of a known form that no scheme verifies.
 *
 * @param headers with names in lower case
 */
export function explainUnsupportedForm(
	headers: Readonly<Record<string, string | string[] | undefined>>,
): Problem | undefined {
	const lines = Object.entries(headers).flatMap(([name, values]) =>
		[values ?? []].flat().map((value) => `${name}: ${value.trim()}`),
	);
	const known = UNSUPPORTED_FORMS.find(([header]) => lines.some((line) => header.test(line)));
	if (!known) return undefined;
	return {
		message: `its signature has the form ${known[1]}, which isn't supported`,
		fix: "If the service can sign in another way, select one of the signature schemes there and in the credential. Otherwise, use n8n's Webhook node, and verify the signature in the workflow.",
	};
}
