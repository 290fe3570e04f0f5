import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { SandboxClient } from '../client';
import { exampleOf } from '../deliveries/eventCatalog';
import { post } from '../deliveries/post';
import type { DeliverySummary, EmittedEvent } from '../types';
import { CliError } from './cliError';
import { explainDelivery, readDelivery } from './verify';

/** What a person enters after the name of a command. */
interface Input {
	values: Record<string, string | boolean | string[] | undefined>;
	positionals: string[];
	sandbox: SandboxClient;
}

interface Command {
	/** What follows the name, and what the command does. */
	usage: [string, string];
	options?: ParseArgsConfig['options'];
	run: (input: Input) => Promise<void>;
}

const text = { type: 'string' } as const;
const FOLLOW_MS = 300;
const MAX_PAGE = 1000;

/**
 * Sets the member at a path such as `metadata.externalId`. The value is read as JSON, unless the
 * example has a text there.
 */
export function setMember(data: Record<string, unknown>, assignment: string): void {
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

function parseValue(value: string): unknown {
	try {
		return JSON.parse(value) as unknown;
	} catch {
		return value;
	}
}

/** The milliseconds of a duration such as 90s, 30m, 2h, or 1d. */
const UNITS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a time: a duration before `now`, or an ISO 8601 date and time. */
export function readTime(value: string, now: number): number {
	const [, count, unit] = /^(\d+)(s|m|h|d)$/.exec(value) ?? [];
	const time = unit ? now - Number(count) * UNITS[unit] : Date.parse(value);
	if (Number.isNaN(time))
		throw new CliError(
			`"${value}" isn't a time. Enter a duration, such as 2h or 30m, or a time such as 2026-01-31T08:00:00Z.`,
		);
	return time;
}

const number = (count: number, one: string, many = `${one}s`) =>
	`${count} ${count === 1 ? one : many}`;

async function trigger({ positionals: [event], values, sandbox }: Input): Promise<void> {
	if (!event) throw new CliError('Enter an event type, such as: trigger PAYMENT.STATUS_UPDATED');
	const { now } = await sandbox.getClock();
	const { data, previousValues } = exampleOf(event, now);
	for (const assignment of (values.set as string[] | undefined) ?? []) setMember(data, assignment);
	const { id, deliveries } = await sandbox.emitEvent({ event, data, previousValues });
	console.log(`${event} ${id}`);
	if (deliveries.length === 0) console.log('No endpoint subscribes to this event type.');
	for (const delivery of deliveries) console.log(await describeDelivery(sandbox, delivery));
}

/** Waits until a delivery has a response. Returns a line about it. */
async function describeDelivery(sandbox: SandboxClient, id: string): Promise<string> {
	for (;;) {
		const { status, attempts, url } = await sandbox.getDelivery(id);
		const last = attempts.at(-1);
		if (last) return `${id} to ${url}: ${status}, ${last.status ?? last.error}`;
		await wait(50);
	}
}

/** Lists the deliveries that failed, the oldest first. */
async function failedSince(sandbox: SandboxClient, time: number): Promise<DeliverySummary[]> {
	const failed: DeliverySummary[] = [];
	let before: number | undefined;
	do {
		const page = await sandbox.listDeliveries({ status: 'FAILED', limit: MAX_PAGE, before });
		failed.unshift(...page.items.filter(({ createdAt }) => createdAt >= time).reverse());
		before = page.next;
	} while (before !== undefined);
	return failed;
}

async function resend({ values, sandbox }: Input): Promise<void> {
	const since = values['failed-since'];
	if (typeof since !== 'string')
		throw new CliError('Say from when on, such as: resend --failed-since 2h');
	const { now } = await sandbox.getClock();
	const failed = await failedSince(sandbox, readTime(since, now));
	// One event can have failed more than once, and have been delivered since.
	const latest = new Map(failed.map((one) => [`${one.eventId} ${one.endpointId}`, one]));
	const endpoints = new Set((await sandbox.listEndpoints()).map(({ id }) => id));
	let resent = 0;
	for (const { id, eventId, endpointId } of latest.values()) {
		const query = { eventId, endpointId, status: 'DELIVERED', limit: 1 } as const;
		if (!endpoints.has(endpointId)) continue;
		if ((await sandbox.listDeliveries(query)).items.length > 0) continue;
		await sandbox.resendDelivery(id);
		resent++;
	}
	console.log(
		`${number(failed.length, 'failed delivery', 'failed deliveries')}, ${number(resent, 'event')} resent. Events that were delivered since, and those of deleted endpoints, are left out.`,
	);
}

const describeEvent = ({ createdAt, event, about, status, deliveries }: EmittedEvent) =>
	[
		new Date(createdAt).toISOString(),
		event.padEnd(32),
		about.padEnd(24),
		(status ?? '').padEnd(18),
		number(deliveries.length, 'delivery', 'deliveries'),
	].join('  ');

async function events({ values, sandbox }: Input): Promise<void> {
	let seen = new Set<string>();
	for (;;) {
		const { items } = await sandbox.listEvents({ limit: seen.size === 0 ? 20 : 500 });
		for (const item of items.reverse()) if (!seen.has(item.id)) console.log(describeEvent(item));
		seen = new Set([...items.map(({ id }) => id), ...[...seen].slice(-500)]);
		if (!values.follow) return;
		await wait(FOLLOW_MS);
	}
}

async function verify({ positionals: [file], values, sandbox }: Input): Promise<void> {
	if (!file || typeof values.secret !== 'string')
		throw new CliError('Enter a secret and a file, such as: verify --secret SECRET delivery.txt');
	const isId = /^dlv_\w+$/.test(file);
	const delivery = isId ? undefined : readDelivery(file);
	const stored = isId ? await sandbox.getDelivery(file) : undefined;
	const headers = delivery?.headers ?? stored?.attempts.at(-1)?.requestHeaders ?? {};
	const body = delivery?.body ?? stored?.body ?? '';
	const { steps, valid } = explainDelivery({
		headers,
		body,
		secret: values.secret,
		now: Date.now(),
	});
	for (const [index, step] of steps.entries()) console.log(`${index + 1}. ${step}`);
	process.exitCode = valid ? 0 : 1;
}

async function listen({ values, sandbox }: Input): Promise<void> {
	const target = values['forward-to'];
	if (typeof target !== 'string' || !URL.canParse(target))
		throw new CliError(
			'Enter the URL to forward to, such as: listen --forward-to http://127.0.0.1:5678/webhook/payments',
		);
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
			const body = Buffer.concat(chunks).toString();
			void post(target, body, headers as Record<string, string>, Date.now()).then((attempt) => {
				const { event, id } = JSON.parse(body) as { event: string; id: string };
				console.log(`${event} ${id}: ${attempt.status ?? attempt.error}, ${attempt.latencyMs} ms`);
				response.writeHead(attempt.status ?? 502).end(attempt.responseBody);
			});
		});
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	const { port } = server.address() as AddressInfo;
	const events = String(values.events ?? '*').split(',');
	const { id, secret } = await sandbox.createEndpoint({
		url: `http://127.0.0.1:${port}/`,
		events,
		label: `Forwarded to ${target}`.slice(0, 100),
		...(typeof values.secret === 'string' && { secret: values.secret }),
	});
	console.log(`Signing secret: ${secret}`);
	console.log(`Events are forwarded to ${target} until you press Ctrl-C.`);
	await new Promise<void>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
	});
	await sandbox.deleteEndpoint(id);
	server.close();
	server.closeAllConnections();
}

/** What the command does for a sandbox that runs, by its name. */
export const COMMANDS: Record<string, Command> = {
	trigger: {
		usage: ['EVENT [--set a.b=c]…', 'sends an event with example data, some members of it changed'],
		options: { set: { ...text, multiple: true } },
		run: trigger,
	},
	resend: {
		usage: ['--failed-since TIME', 'resends the events that failed since a time, such as 2h'],
		options: { 'failed-since': text },
		run: resend,
	},
	events: {
		usage: ['[--follow]', 'lists the latest events, and new ones as they come'],
		options: { follow: { type: 'boolean' } },
		run: events,
	},
	verify: {
		usage: ['--secret S FILE', 'explains why a receiver accepts a delivery or rejects it with 401'],
		options: { secret: text },
		run: verify,
	},
	listen: {
		usage: [
			'--forward-to URL',
			'forwards deliveries to a URL; --events A,B and --secret S are optional',
		],
		options: { 'forward-to': text, events: text, secret: text },
		run: listen,
	},
};

/** Runs a command for the sandbox at `--url`. Throws a CliError that names the fix. */
export async function runCommand(name: string, args: string[], defaultUrl: string): Promise<void> {
	const { run, options, usage } = COMMANDS[name];
	let parsed;
	try {
		parsed = parseArgs({ args, allowPositionals: true, options: { ...options, url: text } });
	} catch (error) {
		const [reason] = (error as Error).message.split('. ');
		throw new CliError(`${reason}. Usage: ${name} ${usage[0]} [--url URL]`);
	}
	const url = String(parsed.values.url ?? defaultUrl);
	try {
		await run({ ...(parsed as Input), sandbox: new SandboxClient(url) });
	} catch (error) {
		if (error instanceof CliError) throw error;
		const { message, cause } = error as Error;
		throw new CliError(
			cause === undefined
				? message
				: `No sandbox responds at ${url}. Start it with "npm run sandbox", or name another with --url.`,
		);
	}
}
