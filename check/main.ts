#!/usr/bin/env node
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { join } from 'node:path';

import type { Delivery } from '../nodes/PaymentsTrigger/signature/scheme';
import { PLAN } from './asking';
import { parseCaptured, tryDelivery } from './delivery';
import {
	CliError,
	HELP,
	parseOptions,
	readOrAsk,
	readSecret,
	readSetup,
	type Setup,
	type Values,
	wholeNumber,
} from './options';
import { checkService } from './questions';
import { markdownPage, terminalPage, type Result } from './report';
import { EXIT_CODES, verdictOf } from './verdict';

const print = (line: string) => console.log(line);

/** Says what the check sends, and asks for consent. */
async function confirm(setup: Setup, values: Values): Promise<void> {
	const { host, hostname } = new URL(setup.transactionsUrl);
	print(
		`The check sends this to ${host}, each transaction with ${setup.amount} ${setup.currency}:`,
	);
	for (const sends of PLAN) print(`  - ${sends}`);
	print(
		`From ${setup.sender.externalPaymentChannelId} to ${setup.recipient.externalPaymentChannelId}. It takes about ${setup.waitMs / 1000 + 10} s, or longer if the service limits requests. If the service pays, and this isn't a test environment, money moves.`,
	);
	await readOrAsk('host', `To send it, type ${host}`, values.host, (typed) => {
		if (![host, hostname].includes(typed.toLowerCase()))
			throw new CliError(`"${typed}" isn't ${host}. Nothing was sent.`);
	});
}

/** A delivery, and when it arrived. */
type Arrived = Delivery & { at: number };

/** Prepares the reading of a delivery: a captured one, or the first that arrives. */
async function deliveryFor(values: Values): Promise<(() => Promise<Arrived>) | undefined> {
	const { delivery: file } = values;
	if (file !== undefined) {
		if (!statSync(file, { throwIfNoEntry: false })?.isFile())
			throw new CliError(`The file ${file} of --delivery doesn't exist.`);
		const delivery = parseCaptured(readFileSync(file));
		return async () => ({ ...delivery, at: Date.now() });
	}
	if (values.listen === undefined) return undefined;
	const port = wholeNumber('listen', values.listen, 65_535);
	let arrive: (arrived: Arrived) => void;
	const first = new Promise<Arrived>((resolve) => (arrive = resolve));
	const server = createServer((request, response) => {
		const isPost = request.method === 'POST';
		void buffer(request).then((rawBody) => {
			response.writeHead(isPost ? 200 : 405).end();
			if (isPost) arrive({ headers: request.headers, rawBody, at: Date.now() });
		});
	});
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
	print(
		`Register http://127.0.0.1:${port}/, or the address of your tunnel to it, at the service as a webhook endpoint.`,
	);
	return async () => {
		print('Waiting for a delivery. Have the service send a test event. Press Ctrl-C to stop.');
		const arrived = await first;
		server.close();
		server.closeAllConnections();
		return arrived;
	};
}

/** Runs the command, and returns its exit code. */
export async function runCommand(args: string[]): Promise<number> {
	const values = parseOptions(args);
	if (values.help) {
		print(HELP);
		return 0;
	}
	const readDelivery = await deliveryFor(values);
	// It exists only once the endpoint is registered.
	const secret = readDelivery && (await readSecret('Signing Secret', 'webhook-secret-env', values));
	const hasAddresses = values['base-url'] !== undefined || values['auth-url'] !== undefined;
	if (readDelivery && !hasAddresses)
		print('Only the delivery is checked, because no address of the service was given.');
	const setup = hasAddresses || !readDelivery ? await readSetup(values) : undefined;
	if (setup) await confirm(setup, values);
	const check = setup && (await checkService(setup, print));
	const arrived = await readDelivery?.();
	const delivered = arrived ? tryDelivery(arrived, secret!, arrived.at) : [];
	const result: Result = {
		service: setup ? new URL(setup.transactionsUrl).host : 'this delivery',
		checkedAt: new Date().toISOString(),
		findings: [
			...(check?.findings ?? []),
			...delivered.map((finding) => ({ title: 'A delivery', ...finding })),
		],
		check,
	};
	print(terminalPage(result));
	if (check) save(result, values.output);
	return EXIT_CODES[verdictOf(result.findings)];
}

function save(result: Result, folder: string): void {
	mkdirSync(folder, { recursive: true });
	const page = join(folder, 'service.md');
	writeFileSync(page, markdownPage(result));
	print(`The page for your provider, with everything that was sent: ${page}`);
}

if (require.main === module)
	runCommand(process.argv.slice(2)).then(
		(code) => process.exit(code),
		(error: unknown) => {
			console.error(error instanceof CliError ? error.message : error);
			process.exit(1);
		},
	);
