import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Delivery } from '../../nodes/PaymentsTrigger/signature/scheme';
import { asSentences } from '../../nodes/shared/result';
import { CliError } from '../cli/cliError';
import { Check, EXIT_CODES, verdictOf } from './Check';
import { parseCaptured, startReceiver, tryDelivery } from './delivery';
import {
	ask,
	HELP,
	parseOptions,
	readNumber,
	readSecret,
	readSetup,
	type Setup,
	type Values,
} from './options';
import { askAll, QUESTIONS } from './questions';
import { jsonOf, markdownPage, sentence, sentSoFar, terminalPage, type Result } from './report';
import { Service } from './Service';

const print = (line: string) => console.log(line);

/** Words of an address that isn't for real money. */
const TEST_ENVIRONMENT =
	/(^|[^a-z])(sandbox|test|testing|staging|localhost|127\.0\.0\.1)([^a-z]|$)/i;

/** Says what the check sends, and asks for consent. */
async function confirm(setup: Setup, values: Values): Promise<void> {
	const { host } = new URL(setup.baseUrl);
	print(
		`The check sends this to ${host}, each transaction with ${setup.amount} ${setup.currency}:`,
	);
	for (const { sends } of QUESTIONS) print(`  - ${sends}`);
	print(
		`From ${setup.sender.externalPaymentChannelId} to ${setup.recipient.externalPaymentChannelId}. It takes about ${setup.waitMs / 1000 + 10} s.`,
	);
	if (!TEST_ENVIRONMENT.test(setup.baseUrl) || !TEST_ENVIRONMENT.test(setup.authUrl)) {
		print(
			"Nothing in the addresses says that this is a test environment. If it isn't, money moves.",
		);
		const typed = values.host ?? (await ask(`Type the host ${host} to go on: `, 'host'));
		if (typed !== host) throw new CliError(`"${typed}" isn't ${host}. Nothing was sent.`);
	}
	if (values.yes !== undefined) return;
	if (!/^y(es)?$/i.test(await ask('Send it? (yes/no) ', 'yes')))
		throw new CliError('Nothing was sent.');
}

/** Sends the transactions, after the user has agreed to it. */
async function checkTransactions(values: Values): Promise<Check> {
	const setup = await readSetup(values);
	await confirm(setup, values);
	const check = new Check(setup, new Service(setup));
	const endEarly = () => {
		print(`\n${sentSoFar(check)}`);
		process.exit(130);
	};
	process.once('SIGINT', endEarly);
	await askAll(check, print);
	process.off('SIGINT', endEarly);
	if (check.service.token === '') {
		const reasons = check.findings.map(({ text }) => sentence(text));
		throw new CliError(`Nothing could be checked. ${reasons.join(' ')}`);
	}
	return check;
}

/** Prepares the reading of a delivery: a captured one, or the first that arrives. */
async function deliveryFor(values: Values): Promise<(() => Promise<Delivery>) | undefined> {
	if (values.delivery !== undefined) {
		const { value, problem } = parseCaptured(readFileSync(values.delivery));
		if (problem) throw new CliError(asSentences(problem));
		return async () => value;
	}
	if (values.listen === undefined) return undefined;
	const receiver = await startReceiver(readNumber('listen', values.listen, 65_535));
	print(
		`Register http://127.0.0.1:${receiver.port}/, or the address of your tunnel to it, at the service as a webhook endpoint.`,
	);
	return async () => {
		print('Waiting for a delivery. Have the service send a test event. Press Ctrl-C to stop.');
		return await receiver.first();
	};
}

async function checkService(values: Values): Promise<number> {
	const readDelivery = await deliveryFor(values);
	// It exists only once the endpoint is registered.
	const secret = readDelivery && (await readSecret('signing secret', 'webhook-secret', values));
	const hasAddresses = values['base-url'] !== undefined || values['auth-url'] !== undefined;
	const check = hasAddresses || !readDelivery ? await checkTransactions(values) : undefined;
	const delivered = readDelivery && tryDelivery(await readDelivery(), secret!, Date.now());
	const result: Result = {
		service: check ? new URL(check.setup.baseUrl).host : 'this delivery',
		checkedAt: new Date().toISOString(),
		findings: [
			...(check?.findings ?? []),
			...(delivered ?? []).map((finding) => ({ title: 'A delivery', ...finding })),
		],
		check,
	};
	print(terminalPage(result));
	if (check) save(result, values.output ?? '.');
	return EXIT_CODES[verdictOf(result.findings)];
}

function save(result: Result, folder: string): void {
	mkdirSync(folder, { recursive: true });
	const json = join(folder, 'service.json');
	writeFileSync(join(folder, 'service.md'), markdownPage(result));
	writeFileSync(json, `${JSON.stringify(jsonOf(result), null, '\t')}\n`);
	print(
		`The page for your provider is ${join(folder, 'service.md')}. To try workflows against these answers: npm run sandbox -- --like ${json}`,
	);
}

/** Runs the command, and returns its exit code. */
export async function runCommand(args: string[]): Promise<number> {
	try {
		const values = parseOptions(args);
		if (values.help === undefined) return await checkService(values);
		print(HELP);
		return 0;
	} catch (error) {
		if (!(error instanceof CliError)) throw error;
		console.error(error.message);
		return 1;
	}
}
