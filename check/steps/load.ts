import { setTimeout as pause } from 'node:timers/promises';

import { parseRetryAfter } from '../../nodes/Payments/sending/retryPolicy';
import { asText } from '../../nodes/shared/values';
import { doesntFit, fits, note, type Check, type Step } from '../Check';
import { defaultOf, settingOf } from '../findings';
import type { Exchange } from '../ServiceUnderTest';
import { testTransaction } from '../testTransaction';
import { describeAnswer } from '../words';

const AT_ONCE = 20;
/** A limit per second is over by then. */
const AFTER_LIMIT_MS = 1500;
/** How long a rate is tried out. */
const PROBE_S = 2;

const isCreated = ({ attempt }: Exchange) => attempt.kind === 'created';
const isTooMany = ({ answer }: Exchange) => answer?.status === 429;

const sendNew = async (check: Check) => await check.service.send(testTransaction(check.setup));

async function sendAtOnce(check: Check, count: number): Promise<Exchange[]> {
	return await Promise.all(Array.from({ length: count }, async () => await sendNew(check)));
}

export const twentyAtOnce: Step = {
	title: `${AT_ONCE} at once`,
	sends: () =>
		`${AT_ONCE} transactions at the same time, and up to 60 more if the service limits requests`,
	records: () => AT_ONCE,
	run: async (check) => await load(check, AT_ONCE),
};

export const burst: Step = {
	title: 'A burst',
	applies: ({ burst: count }) => count > AT_ONCE,
	sends: ({ burst: count }) => `${count} transactions at the same time`,
	records: ({ burst: count }) => count,
	run: async (check) => await load(check, check.setup.burst),
};

async function load(check: Check, count: number): Promise<void> {
	await pause(AFTER_LIMIT_MS);
	const exchanges = await sendAtOnce(check, count);
	const created = exchanges.filter(isCreated).length;
	const tooMany = exchanges.filter(isTooMany);
	const others = exchanges.filter((one) => !isCreated(one) && !isTooMany(one));
	if (tooMany.length > 0) check.saw('tooMany', tooMany[0]);
	if (created === count) return check.find(fits(`All ${count} were created`));
	if (others.length > 0) {
		check.find({
			kind: 'set',
			setting: settingOf('node', 'maxConcurrentRequests', Math.max(1, Math.floor(created / 2))),
			text: `Of ${count} at the same time, ${others.length} got another answer than 429: ${describeAnswer(others[0])}. Their Event IDs: ${others.map(({ transaction }) => transaction.eventId).join(', ')}`,
		});
		return;
	}
	const hasRetryAfter = tooMany.every(
		({ answer }) => parseRetryAfter(asText(answer?.headers['retry-after']), 0) !== undefined,
	);
	check.find(
		note(
			`Of ${count} at the same time, ${tooMany.length} got 429 ${hasRetryAfter ? 'with' : 'without'} Retry-After`,
		),
	);
	await findLimit(check, created, hasRetryAfter);
}

/** Finds out whether the service limits the rate, or how many requests are open. */
async function findLimit(check: Check, created: number, hasRetryAfter: boolean): Promise<void> {
	await pause(AFTER_LIMIT_MS);
	let inRow = 0;
	const startedAt = Date.now();
	for (; inRow < AT_ONCE && Date.now() - startedAt < 1000; inRow++)
		if (isTooMany(await sendNew(check))) break;
	const isRate = inRow < AT_ONCE && Date.now() - startedAt < 1000;
	if (!isRate) {
		check.seen.maxConcurrent = await acceptedAtOnce(check, created);
		return recommend(check, 'maxConcurrentRequests', check.seen.maxConcurrent, hasRetryAfter);
	}
	await pause(AFTER_LIMIT_MS);
	const rate = await sustainedRate(check, Math.max(1, Math.min(created, AT_ONCE)));
	check.seen.maxPerSecond = rate;
	recommend(check, 'maxRequestsPerSecond', rate, hasRetryAfter);
}

function recommend(check: Check, name: string, value: number, hasRetryAfter: boolean): void {
	const setting = settingOf('node', name, value);
	if (hasRetryAfter)
		return check.find(
			fits(
				`The node waits as long as the service asks. If many executions run at the same time, set ${setting.field} to ${value}`,
			),
		);
	check.find({
		kind: 'set',
		setting,
		text: 'The service limits requests, and doesn’t say for how long',
	});
}

/** Tries so many at once, and fewer until all are accepted. */
async function acceptedAtOnce(check: Check, count: number): Promise<number> {
	if (count <= 1) return 1;
	const exchanges = await sendAtOnce(check, count);
	const tooMany = exchanges.filter(isTooMany).length;
	if (tooMany === 0) return count;
	return await acceptedAtOnce(check, Math.min(count - 1, count - tooMany));
}

/** Tries a rate with even spacing, as the node would. */
async function sustainedRate(check: Check, perSecond: number): Promise<number> {
	const sending: Array<Promise<Exchange>> = [];
	for (let index = 0; index < perSecond * PROBE_S; index++) {
		sending.push(sendNew(check));
		await pause(1000 / perSecond);
	}
	const tooMany = (await Promise.all(sending)).filter(isTooMany).length;
	return Math.max(1, Math.floor((perSecond * PROBE_S - tooMany) / PROBE_S));
}

/** The slowest answer so far, compared with the time that the node waits. */
export const longestWait: Step = {
	title: 'The longest wait',
	sends: () => undefined,
	records: () => 0,
	async run(check) {
		const exchanges = check.service.sent.flatMap(({ exchange }) =>
			exchange?.answer ? [exchange] : [],
		);
		const seconds = Math.max(...exchanges.map(({ ms }) => ms)) / 1000;
		const usual = Number(defaultOf('node', 'timeout'));
		const text = `The slowest answer took ${seconds.toFixed(1)} s`;
		if (seconds <= usual / 2) return check.find(fits(text));
		check.find({
			kind: 'set',
			setting: settingOf('node', 'timeout', Math.ceil(seconds * 2)),
			text,
		});
		if (seconds * 2 > 600) check.find(doesntFit(`it answers only after ${seconds.toFixed(0)} s`));
	},
};
