import type { INodeParameters } from 'n8n-workflow';
import type { Credential } from '../host/n8n/client';
import { startDistance } from './distance';
import { atLeast, atMost, inMs, median, table, type Figures, type Tell } from './figures';
import { Rig, type Sender } from './rig';

const ITEMS = 500;
/** So many, because n8n goes on getting faster. */
const WARM_UP_ROUNDS = 3;
/** For what an execution costs in memory. */
const MANY_ITEMS = 50_000;
/** Requests per second that the service with a rate limit takes. */
const RATE = 50;

const payments = (options: INodeParameters = {}): Sender => ({
	type: 'n8n-nodes-payments.payments',
	typeVersion: 1,
	parameters: { resource: 'transaction', operation: 'create', specifyTransaction: 'item', options },
	credential: 'paymentsApi',
});

/**
 * What people would use in its place. With its own defaults, it sends all requests at once, which
 * is its fastest.
 */
const httpRequest = (url: string): Sender => ({
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.5,
	parameters: {
		method: 'POST',
		url: `${url}/api/v1/transactions`,
		authentication: 'genericCredentialType',
		genericAuthType: 'oAuth2Api',
		sendBody: true,
		contentType: 'json',
		specifyBody: 'json',
		jsonBody: '={{ $json }}',
		options: {},
	},
	credential: 'oAuth2Api',
});

/** How the service is reached, and how many times as fast as HTTP Request the node must be. */
const CONNECTIONS = [
	{ name: 'HTTP, same machine', roundTripMs: undefined, timesAsFast: 4 },
	{ name: 'HTTPS, same machine', roundTripMs: 0, timesAsFast: 2.5 },
	{ name: 'HTTPS, round trip of 30 ms', roundTripMs: 30, timesAsFast: 2.5 },
	{ name: 'HTTPS, round trip of 100 ms', roundTripMs: 100, timesAsFast: 1.4 },
];

/** The medians of a first execution of the Payments node, later ones, and the HTTP Request node. */
async function measureConnection(rig: Rig, url: string, rounds: number) {
	const first: number[] = [];
	const later: number[] = [];
	const other: number[] = [];
	const measure = async (sender: Sender, credentials: Credential[]) =>
		await rig.timeOf(await rig.send(sender, ITEMS, credentials));
	const known = await rig.signUp(url);
	// They take turns, so that whatever else the machine does meets all alike.
	for (let round = 0; round < rounds; round++) {
		other.push(await measure(httpRequest(url), known));
		const fresh = await rig.signUp(url);
		first.push(await measure(payments(), fresh));
		later.push(await measure(payments(), fresh));
	}
	return [first, later, other].map(median);
}

async function measureConnections(rig: Rig, rounds: number, tell: Tell): Promise<Figures> {
	const rows: string[][] = [];
	const verdicts: string[] = [];
	for (const { name, roundTripMs, timesAsFast } of CONNECTIONS) {
		const isHttp = roundTripMs === undefined;
		const url = isHttp ? rig.sandbox.url : await startDistance(rig.sandbox.url, roundTripMs);
		const [first, later, other] = await measureConnection(rig, url, rounds);
		rows.push([name, ...[first, later, other].map(inMs), (other / later).toFixed(1)]);
		tell(rows.at(-1)!.join(', '));
		verdicts.push(
			atLeast(`${name}: times as fast, first execution`, other / first, timesAsFast),
			atLeast(`${name}: times as fast, later`, other / later, timesAsFast),
		);
	}
	const head = [
		`${ITEMS} items over`,
		'Payments node, first execution',
		'Later ones',
		'HTTP Request node',
		'Times as fast as HTTP Request',
	];
	return { section: 'sending', text: table([head, ...rows]), verdicts };
}

async function measureRateLimit(rig: Rig, rounds: number): Promise<Figures> {
	const faults = { rateLimit: { perSecond: RATE, retryAfter: 1 } };
	const credentials = await rig.signUp();
	const measure = async (sender: Sender) => {
		const times: number[] = [];
		let rejected = 0;
		for (let round = 0; round < rounds; round++) {
			times.push(await rig.timeOf(await rig.send(sender, ITEMS, credentials, faults)));
			const { responses } = (await rig.sandbox.client.getCounts()).transactions;
			rejected = Math.max(rejected, responses['429'] ?? 0);
		}
		return { ms: median(times), rejected };
	};
	const byDefault = await measure(payments());
	const withOption = await measure(payments({ maxRequestsPerSecond: RATE }));
	const idealMs = (ITEMS / RATE) * 1000;
	return {
		section: 'rate',
		text: table([
			[`${ITEMS} items, ${RATE} requests per second`, 'Time', 'Requests with 429'],
			['Default settings', inMs(byDefault.ms), byDefault.rejected],
			['**Max Requests per Second** set', inMs(withOption.ms), withOption.rejected],
		]),
		verdicts: [
			atMost('rate limit, time : ideal', byDefault.ms / idealMs, 1.25),
			atMost('rate limit, time : ideal, with the option', withOption.ms / idealMs, 1.1),
			atMost('rate limit, 429 with the option', withOption.rejected, 1),
		],
	};
}

/** The Payments node against the HTTP Request node over each connection, and at a rate limit. */
export async function measureSending(tarball: string, rounds: number, tell: Tell) {
	const rig = await Rig.start(tarball);
	tell('warming up');
	const credentials = await rig.signUp();
	for (let round = 0; round < WARM_UP_ROUNDS; round++)
		for (const sender of [payments(), httpRequest(rig.sandbox.url)])
			await rig.send(sender, ITEMS, credentials);
	const connections = await measureConnections(rig, rounds, tell);
	tell('rate limit');
	const rateLimit = await measureRateLimit(rig, rounds);
	await rig.stop();
	return [connections, rateLimit];
}

/** The most memory that n8n holds, in a process of its own for each node. */
export async function measureMemory(tarball: string, tell: Tell): Promise<Figures> {
	const measure = async (name: string, senderAt: (url: string) => Sender) => {
		tell(`memory with the ${name} node`);
		const rig = await Rig.start(tarball);
		const credentials = await rig.signUp();
		// Its data isn't fetched from n8n, which would cost it memory.
		const execution = await rig.send(senderAt(rig.sandbox.url), MANY_ITEMS, credentials);
		const ms = Date.parse(execution.stoppedAt ?? '') - Date.parse(execution.startedAt);
		const peakMiB = rig.peakMiB();
		await rig.stop();
		const what = `${MANY_ITEMS.toLocaleString('en')} items with the ${name} node`;
		const row = [what, `${Math.round(ms / 1000)} s`, `${peakMiB.toLocaleString('en')} MiB`];
		return { ms, peakMiB, row };
	};
	const one = await measure('Payments', () => payments());
	const other = await measure('HTTP Request', httpRequest);
	return {
		section: 'memory',
		text: table([['', 'Time', 'Most memory of n8n'], one.row, other.row]),
		verdicts: [
			atMost('many items, ms for each', one.ms / MANY_ITEMS, 1),
			atMost('many items, memory : HTTP Request', one.peakMiB / other.peakMiB, 1),
		],
	};
}
