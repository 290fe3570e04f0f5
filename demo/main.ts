import { parseArgs } from 'node:util';
import { OWNER } from '../host/n8n/client';
import { n8nInstallation } from '../host/n8n/installation';
import { startN8n } from '../host/n8n/startN8n';
import { launchSandbox } from '../host/sandbox';
import { packPackage } from '../host/pack';
import { checkPort, stopAll } from '../host/processes';
import { showOutbox } from './outbox';
import { connect, run } from './workflows';
import { describeOutcome, findDifferences } from './summary';

function readOptions() {
	const { values } = parseArgs({
		options: {
			once: { type: 'boolean', default: false },
			outbox: { type: 'boolean', default: false },
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
	return {
		once: values.once,
		outbox: values.outbox,
		port: portOf('port'),
		sandboxPort: portOf('sandbox-port'),
	};
}

async function main() {
	const { once, outbox, port, sandboxPort } = readOptions();
	const started = Date.now();
	const seconds = () => Math.round((Date.now() - started) / 1000);
	const tell = (step: string) => console.log(`${String(seconds()).padStart(3)} s  ${step}`);

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
		startN8n({ port, tarball: file }),
		launchSandbox({ port: sandboxPort, args: outbox ? ['--records-only'] : [] }),
	]);
	await n8n.client.setUpOwner();
	if (outbox) {
		const { differences, goOn, summary } = await showOutbox(n8n.client, sandbox.client, tell);
		for (const difference of differences) console.error(difference);
		process.exitCode = differences.length === 0 ? 0 : 1;
		if (once) await stopAll();
		console.log(`demo: ${summary}, in ${seconds()} s`);
		if (once) return;
		console.log('The shop goes on until you press Ctrl-C; then all data are deleted.');
		await goOn();
		return;
	}
	tell('creating credentials, a webhook endpoint, and two workflows');
	const workflows = await connect(n8n.client, sandbox.client);
	tell('running the workflow, and waiting for the events');
	const outcome = await run(n8n.client, sandbox.client, workflows);

	console.log(`\n${describeOutcome(outcome)}\n`);
	const addressOf = ({ id }: { id: string }) => `${n8n.url}/workflow/${id}`;
	console.log(`Editor:   ${addressOf(workflows.rows)} (executions: ${addressOf(workflows.rows)}/executions)
          ${addressOf(workflows.listening)}, started by the events
Sign in:  ${OWNER.email}, password ${OWNER.password}
Sandbox:  ${sandbox.url}, the dashboard of the service
Try:      In the first workflow, select Execute workflow, and open the output of Create Transactions:
          the outcome of each row is "duplicate", and the sandbox's overview has no transaction twice.
          In the executions of the second workflow, open the output of Payments Trigger:
          each is one event. Events can arrive in any order, so the latest isn't always the last.
          In the sandbox under Webhooks, send a test event: it becomes another execution.
Next:     docs/quickstart.md, with a payment and an event of your own
`);
	const differences = findDifferences(outcome);
	for (const difference of differences) console.error(difference);
	process.exitCode = differences.length === 0 ? 0 : 1;
	const summary = `demo: ${outcome.sent.length} transactions created, ${outcome.received.length} events received, in ${seconds()} s`;
	if (once) await stopAll();
	console.log(summary);
	if (once) return;
	console.log(
		'n8n and the sandbox run until you press Ctrl-C; then their data are deleted. The log of n8n:',
	);
	for (const stream of [n8n.process.child.stdout!, n8n.process.child.stderr!])
		stream.pipe(process.stdout);
}

main().catch(async (error: Error) => {
	await stopAll();
	console.error(error.message);
	process.exitCode = 1;
});
