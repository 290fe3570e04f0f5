import { failed } from '../../shared/result';

/** `name=` and a value. */
const NAMED = /^([A-Za-z][\w-]{0,11}=)?(.*)$/s;
const HEX = /^(?:[0-9a-f]{2}){16,}$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4}){5,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const BASE64_URL = /^[\w-]{22,}={0,2}$/;

const MAX_LENGTH = 300;

/** Parts that are shown as they are. They name a version in Standard Webhooks. */
const VERSION = /^v\d{1,2}[a-z]?$/;

/** Names what a value looks like, and shows nothing of it. */
function formOfValue(value: string): string {
	if (value === '' || VERSION.test(value)) return value;
	if (HEX.test(value)) return `<${value.length} hex digits>`;
	if (BASE64.test(value)) return `<${value.length} characters of base64>`;
	if (BASE64_URL.test(value)) return `<${value.length} characters of base64url>`;
	return '…';
}

/** Writes a header without its values, such as `t=…,v1=<64 hex digits>`. */
const formOf = (header: string): string =>
	header.slice(0, MAX_LENGTH).replace(/[^\s,;:]+/g, (part) => {
		const [, name = '', value] = NAMED.exec(part) as string[];
		return name + formOfValue(value);
	});

/**
 * A header with a signature of another form than those that the scheme verifies.
 *
 * @param expected what the scheme verifies
 */
export const wrongForm = (name: string, header: string, expected: string) =>
	failed(
		`its ${name} header has the form ${formOf(header)}, and this scheme verifies ${expected}`,
		"If the service can sign in another way, select it there and in the credential. Otherwise, use n8n's Webhook node, and verify the signature in the workflow.",
	);
