import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { evidenceOf } from '../nodes/Payments/sending/EndedAttempt';
import { asSentences } from '../nodes/shared/result';
import { ISSUER_PATH, TRANSACTIONS_PATH } from '../nodes/shared/serviceUrl';
import { isWebPage, meaningOf } from '../nodes/shared/statuses';
import type { Check } from './Check';
import { chooseCodes, type Choice, type Repeat } from './codes';
import {
	concludeAtOnce,
	concludeCodes,
	concludeInvalid,
	concludeLater,
	concludeLost,
	concludeOtherAmount,
	concludePast,
	concludeSameAgain,
	concludeWrongToken,
	isRecordedAgain,
	otherContentOf,
	refusedOf,
	repeatsOf,
} from './conclusions';
import { askAboutKey, concludeKey } from './idempotencyKey';
import { concludeLimits } from './limits';
import { CliError } from './options';
import { answerOf } from './reading';
import { describeAnswer, describeSays, sentence } from './report';
import { testTransaction, type Exchange } from './Service';

const YEAR_MS = 365 * 24 * 3_600_000;
const CHECK_AUTH_URL = `The Auth URL is the address to which ${ISSUER_PATH} is added. If the service issues access tokens at another path, it doesn't have this interface, and doesn't fit.`;
const CHECK_BASE_URL = `Enter the address to which ${TRANSACTIONS_PATH} is added. If the service takes transactions at another path, it doesn't have this interface, and doesn't fit.`;

async function askForToken(check: Check): Promise<void> {
	const { service } = check;
	const { value: token, problem } = await service.requestToken();
	if (problem) {
		// The message has an address unless the answer is about the client.
		const advice = problem.message.includes(ISSUER_PATH) ? ` ${CHECK_AUTH_URL}` : '';
		throw cannotCheck(`There is no access token: ${asSentences(problem)}${advice}`);
	}
	check.fits(`The service issues an access token for ${token.expiresInSeconds} s`);
	const wrong = await service.requestToken('not-the-secret-of-this-client');
	if (wrong.problem) check.fits(`With a wrong secret, the node says: ${wrong.problem.message}`);
	else check.doesntFit('it issues an access token for a wrong secret, so it checks none');
	const test = await service.testCredential();
	if (test.status !== 'OK')
		check.toKnow(`The test of the credential in n8n will say: ${test.message}`);
}

/** What has to be set otherwise before anything can be asked. */
const cannotCheck = (reason: string) => new CliError(`Nothing could be checked. ${reason}`);

async function createOne(check: Check): Promise<void> {
	const exchange = await check.service.sendWithRetries(testTransaction(check.setup));
	if (exchange.says.outcome !== 'created') return explainNotCreated(check, exchange);
	check.asked.first = exchange;
	check.fits(`The node reports it as created. The answer was ${describeAnswer(exchange)}`);
}

/** @throws if the answer is about the address or the client, and not about the transaction */
function explainNotCreated(check: Check, exchange: Exchange): void {
	const { says, result } = exchange;
	const answer = answerOf(exchange);
	const url = check.setup.transactionsUrl;
	if (!answer) throw cannotCheck(`${url} gave no answer: ${says.message}. ${CHECK_BASE_URL}`);
	const got = `${url} answers a valid transaction with ${describeAnswer(exchange)}`;
	const isPage = isWebPage(answer.headers['content-type'], answer.body);
	const meaning = meaningOf(answer.status);
	if (isPage || ['noSuchPath', 'wrongMethod', 'redirect'].includes(meaning))
		throw cannotCheck(`${got}, so the Base URL is probably wrong. ${CHECK_BASE_URL}`);
	const fix = says.outcome === 'rejected' ? says.fix : 'Ask the provider why.';
	if (evidenceOf(result) !== 'decision') throw cannotCheck(`${got}. ${fix}`);
	check.isStopped = true;
	check.doesntFit(
		`a valid transaction isn't created. ${sentence(describeSays(exchange))} If it declines your test parties, the amount, the currency, or the scheme, check again with others, or, if it declines the header Idempotency-Key, with --no-idempotency-key`,
	);
}

async function sendInvalid({ asked, service, setup }: Check): Promise<void> {
	const amount = 'not-a-number';
	const corrected = testTransaction(setup);
	asked.invalid = await service.sendWithRetries({ ...corrected, amount, baseAmount: amount });
	// If that was taken, it's the Event ID that shows whether it's recorded, and not the key.
	const key = asked.invalid.says.outcome === 'created' ? '' : undefined;
	asked.corrected = await service.sendWithRetries(corrected, { key });
}

async function sendPast({ asked, service, setup }: Check): Promise<void> {
	const transaction = testTransaction(setup, Date.now() - YEAR_MS);
	asked.past = await service.sendWithRetries(transaction);
}

/** Only the amount differs, because a service can compare everything else, too. */
async function sendOtherAmount({ asked, service }: Check): Promise<void> {
	const { transaction } = asked.first!;
	const amount = `${transaction.amount.slice(0, -1)}${transaction.amount.endsWith('7') ? 8 : 7}`;
	const other = { ...transaction, amount, baseAmount: amount };
	asked.otherAmount = await service.sendWithRetries(other);
}

async function repeatAtOnce({ asked, service }: Check): Promise<void> {
	const { transaction } = asked.first!;
	const now = Date.now();
	const otherTimes = { ...transaction, externalCreatedAt: now, receivedAt: now };
	const otherReference = { ...transaction, reference: `${transaction.reference}, again` };
	asked.otherTimes = await service.sendWithRetries(otherTimes);
	asked.otherReference = await service.sendWithRetries(otherReference);
	asked.same = await service.sendWithRetries(transaction);
}

async function sendTwoAtOnce({ asked, service, setup }: Check): Promise<void> {
	const transaction = testTransaction(setup);
	const both = await Promise.all([service.send(transaction), service.send(transaction)]);
	const first = both.find(({ says }) => says.outcome === 'created') ?? both[0];
	const [second] = both.filter((one) => one !== first);
	asked.atOnce = { first, second };
	if (['created', 'duplicate'].includes(second.says.outcome)) return;
	await pause(Math.min(1000, setup.waitMs));
	asked.atOnce.after = await service.sendWithRetries(transaction);
}

/** What the node does after a lost response: it sends the same again, without the first answer. */
async function loseResponse({ asked, service, setup }: Check): Promise<void> {
	const first = await service.send(testTransaction(setup));
	asked.lost = { first, repeat: await service.sendWithRetries(first.transaction) };
}

async function sendWrongToken({ asked, service }: Check): Promise<void> {
	const token = randomBytes(24).toString('base64url');
	asked.wrongToken = await service.send(asked.first!.transaction, { token });
}

/** Two transactions, because what is the same in both answers isn't an ID of one. */
async function repeatMuchLater(check: Check): Promise<void> {
	// To wait would change nothing.
	if (isRecordedAgain(check)) return;
	const { asked, service, setup } = check;
	const [first, lost] = [asked.first!, asked.lost!.first];
	await pause(Math.max(0, first.sentAt + setup.waitMs - Date.now()));
	asked.later = [
		await service.sendWithRetries(first.transaction),
		await service.sendWithRetries(lost.transaction),
	];
}

interface Question {
	title: string;
	/** A clause of the plan that the user agrees to. */
	sends: string;
	ask: (check: Check) => Promise<void>;
	/** What can be said only when everything is asked. */
	conclude?: (check: Check) => void;
}

/** What is asked. Refusals come first, so that an answer to a repeat can be told from them. */
export const QUESTIONS: Question[] = [
	{ title: 'Access token', sends: 'token requests, one with a wrong secret', ask: askForToken },
	{ title: 'One transaction', sends: 'a transaction', ask: createOne },
	{
		title: 'An invalid one',
		sends: 'one whose amount is no number, and then the same with the amount',
		ask: sendInvalid,
		conclude: concludeInvalid,
	},
	{
		title: 'One of the past',
		sends: 'one that was created a year ago',
		ask: sendPast,
		conclude: concludePast,
	},
	{
		title: 'Another amount',
		sends: 'the first one with another amount',
		ask: sendOtherAmount,
		conclude: concludeOtherAmount,
	},
	{
		title: 'The same again',
		sends: 'the first one with other times, with another reference, and unchanged',
		ask: repeatAtOnce,
		conclude: concludeSameAgain,
	},
	{
		title: 'Two at once',
		sends: 'a new one, twice at the same time',
		ask: sendTwoAtOnce,
		conclude: concludeAtOnce,
	},
	{
		title: 'A lost response',
		sends: 'a new one, and exactly the same again, as after a lost response',
		ask: loseResponse,
		conclude: concludeLost,
	},
	{
		title: 'Idempotency-Key',
		sends:
			'a new one with the key of the first one, and with its own; if a corrected one is refused, three without a key',
		ask: askAboutKey,
		conclude: concludeKey,
	},
	{
		title: 'A wrong token',
		sends: 'the first one with an invalid token',
		ask: sendWrongToken,
		conclude: concludeWrongToken,
	},
	{
		title: 'The same again, later',
		sends: 'two of them again after --wait',
		ask: repeatMuchLater,
		conclude: concludeLater,
	},
];

/** What all answers say together. */
const AT_THE_END: Array<Pick<Question, 'title' | 'conclude'>> = [
	{ title: 'Codes for Recorded Already', conclude: concludeCodes },
	{ title: 'Limits', conclude: concludeLimits },
];

/** Asks the service one question after the other, and concludes when all are answered. */
export async function askAll(
	check: Check,
	begins: (title: string) => void = () => {},
): Promise<void> {
	for (const { title, ask } of QUESTIONS) {
		begins(title);
		check.title = title;
		await ask(check);
		if (check.isStopped) return;
	}
	check.codes = chooseFor(check);
	check.service.readAgain(check.codes.entries.join(', '));
	for (const { title, conclude } of [...QUESTIONS, ...AT_THE_END]) {
		check.title = title;
		conclude?.(check);
	}
}

/** Also those of repeats without a key, if there are codes that tell them from refusals. */
function chooseFor(check: Check): Choice {
	const choose = (repeats: Repeat[]) => {
		const { recordedCodes } = check.setup.credential;
		return chooseCodes(repeats, refusedOf(check), otherContentOf(check), recordedCodes);
	};
	const about = 'A repeat without Idempotency-Key';
	const withoutKey = check.asked.withoutKey?.repeats.map((exchange) => ({ about, exchange })) ?? [];
	const repeats = repeatsOf(check);
	const choice = choose([...repeats, ...withoutKey]);
	const isCovered = !choice.uncovered.some(({ repeat }) => repeat.about === about);
	return isCovered ? choice : choose(repeats);
}
