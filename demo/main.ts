import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OWNER } from '../host/n8n/client';
import { n8nInstallation } from '../host/n8n/installation';
import { startN8n, type N8n } from '../host/n8n/startN8n';
import { launchSandbox, type Sandbox } from '../host/sandbox';
import { packPackage } from '../host/pack';
import { checkPort, stopAll } from '../host/processes';
import { KeptFolder } from './keep';
import { showSync } from './sync';
import { connect, run, type Workflows } from './workflows';
import { describeOutcome, findDifferences } from './summary';

function readOptions() {
	const { values } = parseArgs({
		options: {
			once: { type: 'boolean', default: false },
			sync: { type: 'boolean', default: false },
			keep: { type: 'string' },
			port: { type: 'string', default: '5678' },
			'sandbox-port': { type: 'string', default: '8480' },
		},
	});
	const portOf = (option: 'port' | 'sandbox-port') => {
		const port = Number(values[option]);
		if (!Number.isInteger(port) || port < 1 || port > 65_535)
			throw new Error(
				`--${option} ${values[option]} isn't a port. Use a whole number from 1 to 65535.`,
			);
		return port;
	};
	if (values.keep !== undefined && values.sync)
		throw new Error("--keep doesn't keep the database of --sync. Leave out one of them.");
	return {
		keep: values.keep,
		once: values.once,
		sync: values.sync,
		port: portOf('port'),
		sandboxPort: portOf('sandbox-port'),
	};
}

/** Prints where everything is, and what to try. */
function printAddresses(n8n: N8n, sandbox: Sandbox, { rows, listening }: Workflows): void {
	const addressOf = ({ id }: { id: string }) => `${n8n.url}/workflow/${id}`;
	console.log(`Start:    ${sandbox.url}/#/start, the sandbox's page: a transaction and an event of your own
Editor:   ${addressOf(rows)} (executions: ${addressOf(rows)}/executions)
          ${addressOf(listening)}, started by the events
Sign in:  ${OWNER.email}, password ${OWNER.password}
Try:      In the first workflow, select Execute workflow, and open the output of Create Transactions:
          four rows are "duplicate", and the sandbox's overview has none of them twice.
          The other two are "invalid", wrong on purpose.
          In the executions of the second workflow, open the output of Payments Trigger:
          each is one event. Events can arrive in any order, so the latest isn't always the last.
          In the sandbox under Webhooks, send a test event: it becomes another execution.
Next:     docs/quickstart.md, with a transaction and an event of your own
`);
}

async function main() {
	const { keep, once, sync, port, sandboxPort } = readOptions();
	const started = Date.now();
	const seconds = () => Math.round((Date.now() - started) / 1000);
	const tell = (step: string) => console.log(`${String(seconds()).padStart(3)} s  ${step}`);

	const kept = keep === undefined ? undefined : new KeptFolder(resolve(keep));
	const earlier = kept?.workflowsOf(port, sandboxPort);
	await checkPort(port, 'n8n', `Choose another: npm run demo -- --port ${port + 1}`);
	await checkPort(
		sandboxPort,
		'the payments sandbox',
		`Choose another: npm run demo -- --sandbox-port ${sandboxPort + 1}`,
	);
	tell('building and packing the nodes');
	const { file } = await packPackage();
	tell(`starting n8n ${n8nInstallation().version} with the packed nodes, and the payments sandbox`);
	const [n8n, sandbox] = await Promise.all([
		startN8n({ port, tarball: file, userFolder: kept?.n8nFolder }),
		launchSandbox({
			port: sandboxPort,
			args: [...(sync ? ['--records-only'] : []), ...(kept ? ['--keep', kept.sandboxFile] : [])],
		}),
	]);
	await n8n.client.setUpOwner();
	if (sync) {
		const { differences, goOn, summary } = await showSync(n8n.client, sandbox.client, tell);
		for (const difference of differences) console.error(difference);
		process.exitCode = differences.length === 0 ? 0 : 1;
		if (once) await stopAll();
		console.log(`demo: ${summary}, in ${seconds()} s`);
		if (once) return;
		console.log('The shop goes on until you press Ctrl-C; then all data are deleted.');
		await goOn();
		return;
	}
	if (earlier) {
		tell(`n8n and the sandbox have what ${keep} keeps`);
		printAddresses(n8n, sandbox, earlier);
		if (once) await stopAll();
		else showLog(n8n, keep);
		return;
	}
	tell('creating credentials, a webhook endpoint, and two workflows');
	const workflows = await connect(n8n.client, sandbox.client);
	kept?.add({ workflows, port, sandboxPort });
	tell('running the workflow, and waiting for the events');
	const outcome = await run(n8n.client, sandbox.client, workflows);

	console.log(`\n${describeOutcome(outcome)}\n`);
	printAddresses(n8n, sandbox, workflows);
	const differences = findDifferences(outcome);
	for (const difference of differences) console.error(difference);
	process.exitCode = differences.length === 0 ? 0 : 1;
	const summary = `demo: ${outcome.sent.length} transactions created, ${outcome.received.length} events received, in ${seconds()} s`;
	if (once) await stopAll();
	console.log(summary);
	if (once) return;
	showLog(n8n, keep);
}

/** Prints the log of n8n, which runs until somebody ends it. */
function showLog({ process: { child } }: N8n, keep?: string): void {
	const data = keep === undefined ? 'their data are deleted' : `${keep} keeps their data`;
	console.log(`n8n and the sandbox run until you press Ctrl-C; then ${data}. The log of n8n:`);
	for (const stream of [child.stdout!, child.stderr!]) stream.pipe(process.stdout);
}

main().catch(async (error: Error) => {
	await stopAll();
	console.error(error.message);
	process.exitCode = 1;
});
