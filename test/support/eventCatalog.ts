import { document, newValidator } from '../../sandbox/contract';
import type { WebhookEvent } from '../../sandbox/types';

interface Webhook {
	post: {
		summary: string;
		requestBody: { content: { 'application/json': { example: WebhookEvent } } };
	};
}

const validator = newValidator({ strictSchema: false, validateSchema: false }).addSchema(
	document,
	'contract',
);

/** Each event type of the contract, with what it is about and an example. */
export const eventCatalog = Object.fromEntries(
	Object.entries(document.webhooks as Record<string, Webhook>).map(([event, { post }]) => [
		event,
		{ summary: post.summary, example: post.requestBody.content['application/json'].example },
	]),
);

/** Says what the contract has against an event, by the schema of its type. Empty when nothing. */
export function eventIssues(event: WebhookEvent): string[] {
	const validate = validator.getSchema(
		`contract#/webhooks/${event.event}/post/requestBody/content/application~1json/schema`,
	);
	if (!validate) return [`The catalog has no event type ${event.event}.`];
	if (validate(event)) return [];
	return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
