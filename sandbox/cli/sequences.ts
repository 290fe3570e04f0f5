import { setTimeout as wait } from 'node:timers/promises';
import type { SandboxClient } from '../client';
import type { EventSequence } from '../types';
import { CliError } from './cliError';
import { number, type Input } from './command';
import { printEvent } from './trigger';

const POLL_MS = 50;
const MAX_PAGE = 1000;

const describe = ({ id, name, events }: EventSequence) =>
	`${name} ${id}  ${number(events.length, 'event')}`;

/** Finds a sequence by its name or ID. Throws a CliError that names those that exist. */
async function sequenceOf(sandbox: SandboxClient, name: string): Promise<EventSequence> {
	const all = await sandbox.listSequences();
	const found = all.find((one) => one.id === name) ?? all.find((one) => one.name === name);
	if (found) return found;
	const names = all.map((one) => one.name).join(', ');
	throw new CliError(
		`There is no event sequence "${name}". ${names ? `The sequences are: ${names}.` : 'None is saved yet. "record NAME" saves one.'}`,
	);
}

export async function record({ positionals: [name], values, sandbox }: Input): Promise<void> {
	if (!name) throw new CliError('Enter a name, such as: record returned-payment --last 4');
	const last = values.last === undefined ? undefined : Number(values.last);
	if (last !== undefined && !(Number.isInteger(last) && last >= 1 && last <= 200))
		throw new CliError(`--last takes a whole number from 1 to 200, not ${String(values.last)}.`);
	const about = values.about as string | undefined;
	const sequence = await sandbox.createSequence({ name, about, last });
	console.log(describe(sequence));
	for (const { event } of sequence.events) console.log(`  ${event}`);
}

export async function sequences({ values, sandbox }: Input): Promise<void> {
	if (typeof values.delete === 'string') {
		const { id, name } = await sequenceOf(sandbox, values.delete);
		await sandbox.deleteSequence(id);
		return console.log(`${name} is deleted.`);
	}
	const all = await sandbox.listSequences();
	for (const sequence of all) {
		console.log(describe(sequence));
		for (const { event, afterMs = 0 } of sequence.events)
			console.log(`  ${event}${afterMs > 0 ? `, after ${afterMs} ms` : ''}`);
	}
	if (all.length === 0) console.log('None is saved yet. "record NAME" saves one.');
}

export async function replay({ positionals: [name], sandbox }: Input): Promise<void> {
	if (!name) throw new CliError('Enter the name of an event sequence. "sequences" lists them.');
	const { id, events } = await sequenceOf(sandbox, name);
	const waits = events.some(({ afterMs = 0 }) => afterMs > 0);
	if (waits && (await sandbox.getClock()).frozen)
		console.log("The sandbox's clock is frozen, so this goes on only when you advance it.");
	const { events: ids } = await sandbox.replaySequence(id);
	for (const [index, { event }] of events.entries()) {
		while ((await sandbox.search(ids[index])).items.length === 0) await wait(POLL_MS);
		const { items } = await sandbox.listDeliveries({ eventId: ids[index], limit: MAX_PAGE });
		const deliveries = items.map((one) => one.id).reverse();
		await printEvent(sandbox, event, { id: ids[index], deliveries });
	}
}
