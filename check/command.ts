import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { asSentences } from '../nodes/shared/result';
import { CliError } from '../sandbox/cli/cliError';
import { Check } from './Check';
import { confirm } from './confirm';
import type { Finding } from './findings';
import { parseCaptured } from './listen/capturedDelivery';
import { startReceiver } from './listen/receiver';
import { tryDelivery, type SignatureFound } from './listen/tryDelivery';
import {
	hasAddresses,
	HELP,
	parseOptions,
	portOf,
	readSecret,
	readSetup,
	type Values,
} from './options';
import { Prompt } from './prompt';
import { markdownPage, sentence, sentSoFar, terminalPage } from './report';
import { resultOf, type CheckResult } from './result';
import { runCheck } from './runCheck';
import { EXIT_CODES, questionsOf } from './verdict';

const print = (line: string) => console.log(line);

/** Sends the transactions, after the user has agreed to it. */
async function checkTransactions(values: Values, prompt: Prompt): Promise<Check> {
	const setup = await readSetup(values, prompt);
	await confirm(setup, { yes: Boolean(values.yes), host: values.host }, prompt, print);
	const check = new Check(setup);
	const endEarly = () => {
		print(`\n${sentSoFar(check)}`);
		process.exit(130);
	};
	process.once('SIGINT', endEarly);
	await runCheck(check, (title, index, count) => print(`[${index}/${count}] ${title}`));
	process.off('SIGINT', endEarly);
	if (!check.service.hasAnswered)
		throw new CliError(
			['Nothing could be checked, because nothing answered.', ...reasonsOf(check)].join('\n'),
		);
	return check;
}

/** What was found, and what was sent: a service that doesn't answer may have recorded it. */
function reasonsOf(check: Check): string[] {
	const { sent } = check.service;
	const eventIds = sent.map(({ transaction }) => transaction.eventId).join(', ');
	return [
		...check.findings
			.filter(({ finding }) => finding.kind === 'doesntFit')
			.map(({ finding }) => sentence(finding.text)),
		...(sent.length === 0 ? [] : [`These Event IDs were sent: ${eventIds}.`]),
	];
}

/** A function that reads the first delivery. */
type ReadDelivery = () => Promise<SignatureFound>;

const readSigningSecret = async (values: Values, prompt: Prompt): Promise<string> =>
	await readSecret('signing secret of the endpoint', 'webhook-secret', values, prompt);

async function readCaptured(file: string, values: Values, prompt: Prompt): Promise<ReadDelivery> {
	const secret = await readSigningSecret(values, prompt);
	if (!existsSync(file)) throw new CliError(`The file ${file} doesn't exist.`);
	const { value, problem } = parseCaptured(readFileSync(file));
	if (problem) throw new CliError(asSentences(problem));
	return async () => tryDelivery(value, secret, Date.now());
}

/** Says what to register before it asks for the secret, which exists only then. */
async function listen(values: Values, prompt: Prompt): Promise<ReadDelivery> {
	const receiver = await startReceiver(portOf(values)).catch((error: Error) => {
		throw new CliError(`Port ${values.listen} can't be used: ${error.message}.`);
	});
	print(
		`Register http://127.0.0.1:${receiver.port}/, or the address of your tunnel to it, at the service as a webhook endpoint.`,
	);
	const secret = await readSigningSecret(values, prompt).catch(async (error) => {
		await receiver.stop();
		throw error;
	});
	return async () => {
		print(
			receiver.hasArrived()
				? 'A delivery has arrived.'
				: 'Waiting for a delivery. Have the service send a test event. Press Ctrl-C to stop.',
		);
		const delivery = await receiver.first;
		await receiver.stop();
		return tryDelivery(delivery, secret, delivery.arrivedAt);
	};
}

/** Asks how often the service has what only a look at it can tell. */
async function lookUp(findings: Finding[], prompt: Prompt): Promise<Map<string, number>> {
	const found = new Map<string, number>();
	if (!prompt.isInteractive) return found;
	for (const { eventId } of questionsOf(findings)) {
		const answer = await prompt.ask(
			`How often does the service have Event ID ${eventId}? (a number, or nothing if you don't know) `,
			'',
		);
		if (/^\d+$/.test(answer)) found.set(eventId, Number(answer));
	}
	return found;
}

function save(result: CheckResult, check: Check | undefined, folder: string): void {
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'service.md'), markdownPage(result, check));
	writeFileSync(join(folder, 'service.json'), `${JSON.stringify(result, null, '\t')}\n`);
	print(
		`The page for your provider is ${join(folder, 'service.md')}. To try workflows against these answers: npm run sandbox -- --like ${join(folder, 'service.json')}`,
	);
}

async function checkService(values: Values, prompt: Prompt): Promise<number> {
	const readDelivery =
		values.delivery !== undefined
			? await readCaptured(values.delivery, values, prompt)
			: values.listen !== undefined
				? await listen(values, prompt)
				: undefined;
	const check = hasAddresses(values) ? await checkTransactions(values, prompt) : undefined;
	const delivery = await readDelivery?.();
	const findings = check?.findings.map(({ finding }) => finding) ?? [];
	const result = resultOf({ check, delivery, lookedUp: await lookUp(findings, prompt) });
	print(terminalPage(result));
	save(result, check, values.output ?? '.');
	return EXIT_CODES[result.verdict.name];
}

/**
 * Runs the command.
 *
 * @returns its exit code
 */
export async function runCommand(args: string[], prompt = new Prompt()): Promise<number> {
	try {
		const values = parseOptions(args);
		if (!values.help) return await checkService(values, prompt);
		print(HELP);
		return 0;
	} catch (error) {
		if (!(error instanceof CliError)) throw error;
		console.error(error.message);
		return 1;
	} finally {
		prompt.close();
	}
}
