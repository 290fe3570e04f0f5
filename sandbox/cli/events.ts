import { setTimeout as wait } from 'node:timers/promises';
import type { SandboxClient } from '../client';
import type { DeliverySummary, EmittedEvent } from '../types';
import type { Input } from './command';

const LATEST = 20;
const FOLLOW_MS = 300;
const MAX_PAGE = 1000;
/** The events and deliveries that are remembered, so that none is printed twice. */
const MAX_SEEN = 10_000;

const describeEvent = ({ id, createdAt, event, about, status }: EmittedEvent) =>
	[new Date(createdAt).toISOString(), event.padEnd(32), id, about, status ?? '']
		.join('  ')
		.trimEnd();

/** What the last attempt of a delivery got. */
function resultOf({ attempts, lastStatus, lastLatencyMs, nextAttemptAt }: DeliverySummary): string {
	if (attempts === 0) return 'no attempt yet';
	const response = lastStatus === null ? 'no response' : String(lastStatus);
	const next = nextAttemptAt && `, next attempt ${new Date(nextAttemptAt).toISOString()}`;
	return `${response} after ${lastLatencyMs} ms, attempt ${attempts}${next ?? ''}`;
}

const describeDelivery = (delivery: DeliverySummary, urls: Map<string, string>, eventId = '') =>
	`  ${delivery.id}${eventId && ` of ${eventId}`} to ${urls.get(delivery.endpointId) ?? `${delivery.endpointId}, deleted`}: ${delivery.status}, ${resultOf(delivery)}`;

const urlsOf = async (sandbox: SandboxClient) =>
	new Map((await sandbox.listEndpoints()).map(({ id, url }) => [id, url]));

async function listLatest(sandbox: SandboxClient): Promise<void> {
	const { items } = await sandbox.listEvents({ limit: LATEST });
	const urls = await urlsOf(sandbox);
	for (const event of items.reverse()) {
		console.log(describeEvent(event));
		const deliveries = await sandbox.listDeliveries({ eventId: event.id, limit: MAX_PAGE });
		for (const delivery of deliveries.items.reverse())
			console.log(describeDelivery(delivery, urls));
		if (event.deliveries.length === 0) console.log('  No endpoint subscribes to it.');
	}
	if (items.length === 0) console.log('No events yet.');
}

/** Forgets the oldest entries. */
function shorten(seen: Map<string, number>): void {
	for (const key of seen.keys()) {
		if (seen.size <= MAX_SEEN) return;
		seen.delete(key);
	}
}

/** Prints new events and new attempts of deliveries as they come. Never resolves. */
async function follow(sandbox: SandboxClient): Promise<never> {
	const events = new Map<string, number>();
	const attempts = new Map<string, number>();
	for (;;) {
		const { items } = await sandbox.listEvents({ limit: events.size === 0 ? LATEST : MAX_PAGE });
		for (const event of items.reverse()) {
			if (!events.has(event.id)) console.log(describeEvent(event));
			events.set(event.id, 1);
		}
		const deliveries = await sandbox.listDeliveries({ limit: MAX_PAGE });
		const urls = await urlsOf(sandbox);
		for (const delivery of deliveries.items.reverse()) {
			const { id, eventId } = delivery;
			const isNew = delivery.attempts > (attempts.get(id) ?? 0);
			if (isNew && events.has(eventId)) console.log(describeDelivery(delivery, urls, eventId));
			attempts.set(id, delivery.attempts);
		}
		shorten(events);
		shorten(attempts);
		await wait(FOLLOW_MS);
	}
}

export async function events({ values, sandbox }: Input): Promise<void> {
	if (values.follow) await follow(sandbox);
	else await listLatest(sandbox);
}
