import { setTimeout as pause } from 'node:timers/promises';

import { parseRetryAfter } from '../../nodes/Payments/sending/retryDelay';
import { asText } from '../../nodes/shared/values';
import { doesntFit, fits, note, type Check, type Step } from '../Check';
import { defaultOf, settingOf } from '../findings';
import type { Exchange } from '../ServiceUnderTest';
import { testTransaction } from '../testTransaction';
import { describeAnswer } from '../words';

const AT_ONCE = 20;
/** A limit per second is over by then. */
const AFTER_LIMIT_MS = 1500;
/** In a service that counts the requests of the last second, those of a second ago don't count. */
const SECOND_MS = 1050;
/** Shortly before the service takes the first one again that it has no room for now. */
const BEFORE_NEXT_SECOND_MS = 900;
/**
 * How long a rate is measured, with so many times the requests that the service may take. One more
 * or less at its ends, and one that came late, don't change the whole number of a second.
 */
const PROBE_S = 4;
const MORE_THAN_LIMIT = 1.25;
/** If a service takes this share at once right after as many others, their number isn't limited. */
const SAME_SHARE = 0.75;

const isCreated = ({ attempt }: Exchange) => attempt.kind === 'created';
const isTooMany = ({ answer }: Exchange) => answer?.status === 429;
const acceptedOf = (exchanges: Exchange[]) => exchanges.filter((one) => !isTooMany(one)).length;

const sendNew = async (check: Check) => await check.service.send(testTransaction(check.setup));

async function sendAtOnce(check: Check, count: number): Promise<Exchange[]> {
	return await Promise.all(Array.from({ length: count }, async () => await sendNew(check)));
}

export const twentyAtOnce: Step = {
	title: `${AT_ONCE} at once`,
	sends: () =>
		`${AT_ONCE} transactions at the same time, and up to 180 more if the service limits requests`,
	records: () => AT_ONCE,
	run: async (check) => await load(check, AT_ONCE),
};

export const burst: Step = {
	title: 'A burst',
	applies: ({ burst: count }) => count > AT_ONCE,
	sends: ({ burst: count }) =>
		`${count} transactions at the same time, and up to ${9 * count} more if the service limits requests`,
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
	if (created === count)
		return check.find(
			fits(
				`All ${count} were created. Only a larger --burst can show a limit of ${count} per second or more`,
			),
		);
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
	const { maxPerSecond, maxConcurrent } = check.seen;
	if (maxPerSecond === undefined && maxConcurrent === undefined)
		await findLimit(check, Math.max(1, created), hasRetryAfter);
}

/** Finds out whether the service limits the rate, or how many requests are open. */
async function findLimit(check: Check, created: number, hasRetryAfter: boolean): Promise<void> {
	await pause(AFTER_LIMIT_MS);
	const fullSince = await fullRateSince(check, created);
	if (fullSince === undefined) {
		check.seen.maxConcurrent = await acceptedAtOnce(check, created);
		return recommend(check, 'maxConcurrentRequests', check.seen.maxConcurrent, hasRetryAfter);
	}
	const rate = await acceptedPerSecond(check, Math.max(created, AT_ONCE), fullSince);
	check.seen.maxPerSecond = Math.max(1, rate);
	recommend(check, 'maxRequestsPerSecond', check.seen.maxPerSecond, hasRetryAfter);
	if (rate === 0)
		check.find(
			note(
				`For ${PROBE_S} s, it accepted nothing more, so its limit may be for longer than a second. Ask the provider for it (question 4)`,
			),
		);
}

/**
 * Sends as many as were accepted at once, and as many again when none of these is open. If those
 * take longer than a second, sends the others while they are open.
 *
 * @returns if the number that is accepted depends on the time, since when the service has taken all
 * that it takes in a second, in ms since the epoch
 */
async function fullRateSince(check: Check, count: number): Promise<number | undefined> {
	const startedAt = Date.now();
	const sending = sendAtOnce(check, count);
	const areOpen = await Promise.race([sending.then(() => false), pause(SECOND_MS, true)]);
	const again = acceptedOf(await sendAtOnce(check, count));
	const first = acceptedOf(await sending);
	const isSame = again > 0 && again >= first * SAME_SHARE;
	const isRate = isSame === areOpen;
	if (!isRate) return undefined;
	return areOpen ? Date.now() : startedAt;
}

function recommend(check: Check, name: string, value: number, hasRetryAfter: boolean): void {
	const setting = settingOf('node', name, value);
	if (hasRetryAfter)
		return check.find(
			fits(
				`The node waits as long as the service asks. If many executions run at the same time, set ${setting.field} to about ${value}, divided by their number`,
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

/**
 * Sends evenly, and more than the service accepts, and counts what it accepts in whole seconds.
 *
 * @param count how many the service may accept in a second
 * @param fullSince since when it has accepted all that it does in a second, in ms since the epoch
 */
async function acceptedPerSecond(check: Check, count: number, fullSince: number): Promise<number> {
	const from = Math.max(Date.now(), fullSince + BEFORE_NEXT_SECOND_MS);
	const until = from + PROBE_S * 1000;
	const sending: Array<Promise<Exchange>> = [];
	for (let at = Date.now(); at < until; at += 1000 / (count * MORE_THAN_LIMIT)) {
		await pause(Math.max(0, at - Date.now()));
		sending.push(sendNew(check));
	}
	const measured = (await Promise.all(sending)).filter(
		({ sentAt }) => sentAt >= from && sentAt < until,
	);
	// One of them may have been counted in the second before.
	return Math.floor((acceptedOf(measured) + 1) / PROBE_S);
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
		const slowest = exchanges.reduce((one, other) => (other.ms > one.ms ? other : one));
		const seconds = slowest.ms / 1000;
		const usual = Number(defaultOf('node', 'timeout'));
		const text = `The slowest answer took ${seconds.toFixed(1)} s: one to Event ID ${slowest.transaction.eventId}`;
		if (seconds <= usual / 2) return check.find(fits(text));
		check.find({
			kind: 'set',
			setting: settingOf('node', 'timeout', Math.ceil(seconds * 2)),
			text,
		});
		if (seconds * 2 > 600) check.find(doesntFit(`it answers only after ${seconds.toFixed(0)} s`));
	},
};
