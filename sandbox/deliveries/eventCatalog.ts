import { randomUUID } from 'node:crypto';
import { document } from '../contract';
import { newId } from '../state/ids';
import type { WebhookEvent } from '../types';

/** An event type of the catalog (`webhooks` of the contract). Other types can be sent, too. */
interface CatalogEntry {
	post: {
		tags?: string[];
		summary: string;
		requestBody: { content: { 'application/json': { example: WebhookEvent } } };
	};
}

const catalog = document.webhooks as Record<string, CatalogEntry>;

/** All event types of the catalog, in alphabetical order. */
export const eventTypes = Object.keys(catalog).sort();

/** docs/interface.md, 6: recommended as a minimum. */
export const recommendedEvents = eventTypes.filter((event) =>
	catalog[event].post.tags?.includes('recommended'),
);

const ID = /^([a-z]{3})_([0-9a-z]{20,})$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Copies an example with new IDs and shifted times, so that no two events are the same. */
function renew(value: unknown, shiftMs: number): unknown {
	if (typeof value === 'string') {
		const [, prefix, random] = ID.exec(value) ?? [];
		if (random) return newId(prefix, random.length);
		return UUID.test(value) ? randomUUID() : value;
	}
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map((one) => renew(one, shiftMs));
	const members = Object.entries(value).map(([name, one]) => {
		const isTime = name.endsWith('At') && typeof one === 'number';
		return [name, isTime ? one + shiftMs : renew(one, shiftMs)];
	});
	return Object.fromEntries(members);
}

/**
 * Creates what an event of a type contains by its example in the catalog. A type that the catalog
 * doesn't have gets the data of its family, or only an ID.
 */
export function exampleOf(
	event: string,
	now: number,
): Pick<WebhookEvent, 'data' | 'previousValues'> {
	const [family] = event.split('.');
	const known = eventTypes.includes(event);
	const like = known ? event : eventTypes.find((one) => one.startsWith(`${family}.`));
	if (like === undefined) return { data: { id: newId('obj', 20) }, previousValues: {} };
	const { example } = catalog[like].post.requestBody.content['application/json'];
	const data = renew(example.data, now - example.createdAt) as WebhookEvent['data'];
	return { data, previousValues: known ? example.previousValues : {} };
}
