import { createHash } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import { asText, isObject, ownMember } from '../shared/values';
import { parseJson } from './parseEvents';
import { headerOf, type Delivery } from './signature/scheme';

const MAX_LISTED = 10;
const MAX_LENGTH = 100;

/** Formats texts that the sender chooses: bounded, and without line breaks. */
export function listTexts(texts: string[]): string {
	const listed = texts.slice(0, MAX_LISTED);
	return listed.map((text) => JSON.stringify(text.slice(0, MAX_LENGTH))).join(', ');
}

/** Headers with the ID of a delivery, by Standard Webhooks and Svix. */
const ID_HEADERS = ['webhook-id', 'svix-id'];

/** Another text under such a name could be anything of the payload, and isn't logged. */
const ID = /^[\w.:-]{1,100}$/;

/** Lists the `id` of each event of a body, as far as it can be read. */
function eventIds(rawBody: Buffer): string[] {
	const { value } = parseJson(rawBody);
	const events = (Array.isArray(value) ? value : [value]) as unknown[];
	return events.filter(isObject).map((event) => {
		const id = ownMember(event, 'id');
		return typeof id === 'number' ? String(id) : asText(id);
	});
}

/**
 * Says which delivery this is, for who looks for it at the service: by the IDs that it has, whether
 * they are signed or not, otherwise by a hash of its body.
 *
 * @param rawBody `undefined` if it couldn't be read
 */
export function idsOf(headers: Delivery['headers'], rawBody: Buffer = Buffer.alloc(0)): string {
	const inHeaders = ID_HEADERS.map((name) => headerOf({ headers }, name));
	const all = new Set([...inHeaders, ...eventIds(rawBody)].filter((id) => ID.test(id)));
	if (all.size > 0) return listTexts([...all]);
	if (rawBody.length === 0) return 'without a body';
	const hash = createHash('sha256').update(rawBody).digest('hex');
	return `without an ID, SHA-256 of its body ${hash.slice(0, 16)}…`;
}

/**
 * Names the trigger and the delivery for a line of the log. It belongs into the text, because in
 * production n8n's text log leaves out all that is beside it, also the time.
 *
 * @param delivery as `idsOf` names it, if the line is about one
 */
export function placeOf(
	context: Pick<IWebhookFunctions, 'getWorkflow' | 'getNode'>,
	delivery?: string,
): string {
	const { id, name } = context.getWorkflow();
	const place = [
		`workflow ${listTexts([name ?? ''])} ${id}`,
		`node ${listTexts([context.getNode().name])}`,
		...(delivery === undefined ? [] : [`delivery ${delivery}`]),
		new Date().toISOString(),
	];
	return place.join(', ');
}
