import type { SandboxClient } from '../client';
import type { DeliveryStatus, DeliverySummary } from '../types';
import { CliError } from './cliError';
import { number, type Input } from './command';

const MAX_PAGE = 1000;

/** The milliseconds of a duration such as 90s, 30m, 2h, or 1d. */
const UNITS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a time: a duration before `now`, or an ISO 8601 date and time. */
function readTime(value: string, now: number): number {
	const [, count, unit] = /^(\d+)(s|m|h|d)$/.exec(value) ?? [];
	const time = unit ? now - Number(count) * UNITS[unit] : Date.parse(value);
	if (Number.isNaN(time))
		throw new CliError(
			`"${value}" isn't a time. Enter a duration, such as 2h or 30m, or a time such as 2026-01-31T08:00:00Z.`,
		);
	return time;
}

/** Lists the deliveries of a status that were created since a time, the oldest first. */
async function deliveriesSince(
	sandbox: SandboxClient,
	query: { status?: DeliveryStatus; eventId?: string },
	time = 0,
): Promise<DeliverySummary[]> {
	const found: DeliverySummary[] = [];
	let before: number | undefined;
	do {
		const page = await sandbox.listDeliveries({ ...query, limit: MAX_PAGE, before });
		found.unshift(...page.items.filter(({ createdAt }) => createdAt >= time).reverse());
		before = page.next;
	} while (before !== undefined);
	return found;
}

/** Keeps the latest of the deliveries of an event to an endpoint. */
const latestOf = (deliveries: DeliverySummary[]) => [
	...new Map(deliveries.map((one) => [`${one.eventId} ${one.endpointId}`, one])).values(),
];

/** Finds the deliveries that an ID means: itself, or the latest ones of an event. */
async function deliveriesWith(sandbox: SandboxClient, id: string): Promise<string[]> {
	const { items } = await sandbox.search(id);
	const kinds = items.filter((one) => one.id === id).map(({ kind }) => kind);
	if (kinds.includes('delivery')) return [id];
	if (!kinds.includes('event'))
		throw new CliError(
			`The sandbox at ${sandbox.url} has no event and no delivery with the ID ${id}. "events" lists the latest.`,
		);
	const deliveries = latestOf(await deliveriesSince(sandbox, { eventId: id }));
	if (deliveries.length === 0)
		throw new CliError(`No endpoint subscribed to the event ${id}, so it has no delivery.`);
	return deliveries.map((one) => one.id);
}

/** Leaves out what was delivered since, and what has no endpoint anymore. */
async function undelivered(sandbox: SandboxClient, found: DeliverySummary[]): Promise<string[]> {
	const endpoints = new Set((await sandbox.listEndpoints()).map(({ id }) => id));
	const wanted: string[] = [];
	for (const { id, eventId, endpointId } of latestOf(found)) {
		const query = { eventId, endpointId, status: 'DELIVERED', limit: 1 } as const;
		if (!endpoints.has(endpointId)) continue;
		if ((await sandbox.listDeliveries(query)).items.length === 0) wanted.push(id);
	}
	return wanted;
}

export async function resend({ positionals, values, sandbox }: Input): Promise<void> {
	const since = values['failed-since'];
	if (positionals.length === 0 && since === undefined && !values.retrying)
		throw new CliError(
			'Say what to resend: the ID of a delivery or an event, --failed-since 2h, or --retrying.',
		);
	const { now } = await sandbox.getClock();
	const time = typeof since === 'string' ? readTime(since, now) : undefined;
	const ids: string[] = [];
	for (const id of positionals) ids.push(...(await deliveriesWith(sandbox, id)));
	const found = [
		...(time === undefined ? [] : await deliveriesSince(sandbox, { status: 'FAILED' }, time)),
		...(values.retrying ? await deliveriesSince(sandbox, { status: 'RETRYING' }) : []),
	];
	const remaining = await undelivered(sandbox, found);
	for (const id of new Set([...ids, ...remaining])) {
		const { id: copy, event, eventId } = await sandbox.resendDelivery(id);
		console.log(`${event} ${eventId}: ${id} resent as ${copy}`);
	}
	const leftOut = found.length - remaining.length;
	console.log(
		`${number(new Set([...ids, ...remaining]).size, 'delivery', 'deliveries')} resent.${leftOut > 0 ? ` ${leftOut} left out: delivered since, resent before, or of a deleted endpoint.` : ''}`,
	);
}
