import { setTimeout as wait } from 'node:timers/promises';
import type { SandboxClient } from '../client';
import { eventTypes, exampleOf } from '../deliveries/eventCatalog';
import { CliError } from './cliError';
import type { CommandInput } from './options';

const POLL_MS = 50;

function parseValue(value: string): unknown {
	try {
		return JSON.parse(value) as unknown;
	} catch {
		return value;
	}
}

/**
 * Sets the member at a path such as `metadata.externalId`. The value is read as JSON, unless the
 * example has a text there.
 */
function setMember(data: Record<string, unknown>, assignment: string): void {
	const [path, ...rest] = assignment.split('=');
	const names = path.split('.');
	const last = names.pop()!;
	if (rest.length === 0 || names.includes('') || last === '')
		throw new CliError(`--set takes a path and a value, such as status=FAILED, not ${assignment}.`);
	let object = data;
	for (const name of names) {
		const inner = Object.hasOwn(object, name) ? object[name] : undefined;
		const next = typeof inner === 'object' && inner !== null ? inner : {};
		Object.defineProperty(object, name, { value: next, enumerable: true, configurable: true });
		object = next as Record<string, unknown>;
	}
	object[last] = typeof object[last] === 'string' ? rest.join('=') : parseValue(rest.join('='));
}

/** Warns of event types that the catalog doesn't have, and lists those that it has. */
export function warnOfUnknownTypes(wanted: string[]): void {
	const unknown = wanted.filter((event) => event !== '*' && !eventTypes.includes(event));
	if (unknown.length === 0) return;
	const list = eventTypes.map((event) => `\n  ${event}`).join('');
	const verb = unknown.length === 1 ? "isn't an event type" : "aren't event types";
	console.error(
		`Warning: ${unknown.join(', ')} ${verb} of the catalog, so check the spelling. The sandbox sends any type, but your service may not. The catalog has:${list}`,
	);
}

/** Waits until a delivery has a response. Returns a line about it. */
async function describeDelivery(sandbox: SandboxClient, id: string): Promise<string> {
	for (;;) {
		const { status, attempts, url } = await sandbox.getDelivery(id);
		const last = attempts.at(-1);
		if (last || status === 'FAILED')
			return `  ${id} to ${url}: ${status}, ${last ? (last.status ?? last.error) : 'not sent'}`;
		await wait(POLL_MS);
	}
}

/** Sends an event with example data, and prints its ID and what each of its deliveries got. */
export async function trigger(
	{ positionals: [event, ...more], set }: CommandInput,
	sandbox: SandboxClient,
): Promise<void> {
	if (!event || more.length > 0)
		throw new CliError('Enter one event type, such as: trigger PAYMENT.STATUS_UPDATED');
	const { now } = await sandbox.getClock();
	const { data, previousValues } = exampleOf(event, now);
	for (const assignment of set) setMember(data, assignment);
	warnOfUnknownTypes([event]);
	const { id, deliveries } = await sandbox.emitEvent({ event, data, previousValues });
	console.log(`${event} ${id}`);
	if (deliveries.length === 0) console.log('  No endpoint subscribes to this event type.');
	for (const delivery of deliveries) console.log(await describeDelivery(sandbox, delivery));
}
