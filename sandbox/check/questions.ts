import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { rejectsToken } from '../../nodes/Payments/sending/response/readResponse';
import { asSentences } from '../../nodes/shared/result';
import { isWebPage, statusRow } from '../../nodes/shared/statuses';
import { isObject } from '../../nodes/shared/values';
import { CliError } from '../cli/cliError';
import { verdictOf, type Check } from './Check';
import { CODES_FIELD, describeAnswer, readTexts, sentence } from './report';
import { inAnotherExecution, testTransaction, type Exchange } from './Service';

const CHECK_BASE_URL = 'Enter the address to which /api/v1/transactions is added.';
const TIMES_FIELD = 'Payments → Created At and Received At';

async function askForToken(check: Check): Promise<void> {
	const { service } = check;
	const { value: token, problem } = await service.requestToken();
	if (problem) throw cannotCheck(`There is no access token: ${asSentences(problem)}`);
	service.token = token.bearerToken;
	check.fits(`The service issues an access token for ${token.expiresInSeconds} s`);
	const wrong = await service.requestToken('not-the-secret-of-this-client');
	if (wrong.problem) check.fits(`With a wrong secret, the node says: ${wrong.problem.message}`);
	else check.doesntFit('it issues an access token for a wrong secret, so it checks none');
}

/** What has to be set otherwise before anything can be asked. */
const cannotCheck = (reason: string) => new CliError(`Nothing could be checked. ${reason}`);

async function createOne(check: Check): Promise<void> {
	const exchange = await check.service.sendWithRetries(testTransaction(check.setup));
	if (exchange.says.outcome !== 'created') return explainNotCreated(check, exchange);
	check.seen.created = exchange.answer;
	check.first = exchange;
	check.fits(`The node reports it as created. The answer was ${describeAnswer(exchange)}`);
}

/** @throws if the answer is about the address or the client, and not about the transaction */
function explainNotCreated(check: Check, exchange: Exchange): void {
	const { says, answer } = exchange;
	const url = check.setup.transactionsUrl;
	if (!answer) throw cannotCheck(`${url} gave no answer: ${says.message}. ${CHECK_BASE_URL}`);
	const { meaning, evidence } = statusRow(answer.status);
	const got = `${url} answers a valid transaction with ${describeAnswer(exchange)}`;
	const isPage = isWebPage(answer.headers['content-type'], answer.body);
	if (isPage || ['noSuchPath', 'wrongMethod', 'redirect'].includes(meaning))
		throw cannotCheck(`${got}, so the Base URL is probably wrong. ${CHECK_BASE_URL}`);
	const fix = says.outcome === 'rejected' ? says.fix : 'Ask the provider why.';
	if (evidence !== 'decision') throw cannotCheck(`${got}. ${fix}`);
	check.isStopped = true;
	check.doesntFit(
		`a valid transaction isn't created. ${sentence(describeSays(exchange))} If it declines your test parties, the amount, the currency, or the scheme, check again with others`,
	);
}

const describeSays = ({ says }: Exchange): string => `The node says: ${says.message}`;

async function repeatLater(check: Check): Promise<void> {
	const first = check.first!;
	const repeat = await check.service.sendWithRetries(inAnotherExecution(first.transaction));
	check.seen.repeated = repeat.answer;
	// Only such an answer can be about the content.
	const isRefusal = STATED_WITH.includes(repeat.answer?.status ?? 0);
	const isUnderstood = repeat.says.outcome === 'duplicate' || !isRefusal;
	const same = isUnderstood ? repeat : await check.service.sendWithRetries(first.transaction);
	if (isSameAnswer(repeat, same))
		return conclude(check, 'A repeat with other times and another reference', repeat, first);
	check.comparesContent = true;
	check.find({
		kind: 'set',
		field: TIMES_FIELD,
		value: 'values of the data',
		text: `The service compares the whole request with the first one, so a repeat must have the same times and the same reference. With others, it answers ${describeAnswer(repeat)}`,
	});
	check.seen.repeated = same.answer;
	check.seen.otherContent = repeat.answer;
	conclude(check, 'A repeat with the same content', same, first);
}

/** Whether two answers have the same status and codes. */
function isSameAnswer(one: Exchange, other: Exchange): boolean {
	const [first, second] = [one, other].map(({ answer }) =>
		answer ? [answer.status, ...readTexts(answer.body, answer.status).codes] : [],
	);
	return first.join() === second.join();
}

/** The repeat of another question, as an execution makes it with the settings found so far. */
const repeatOf = (check: Check, { transaction }: Exchange) =>
	check.comparesContent ? transaction : inAnotherExecution(transaction);

/**
 * Concludes from the answer to a repeat.
 *
 * @param about a subject, such as "A repeat"
 */
function conclude(check: Check, about: string, repeat: Exchange, first: Exchange): void {
	const answer = describeAnswer(repeat);
	const { outcome } = repeat.says;
	const { recordedCodes } = check.service;
	const entered = recordedCodes ? `, with ${recordedCodes} entered` : '';
	if (outcome === 'duplicate')
		return check.fits(`${about} is a duplicate in the node${entered}. The answer was ${answer}`);
	if (outcome !== 'created') return stateCode(check, about, repeat);
	const ids = compareIds(first, repeat);
	if (ids === 'same')
		return check.note(
			`${about} gets the first answer again, so there is one transaction. The node reports it as created`,
		);
	if (ids === 'notKnown')
		return check.find({
			kind: 'lookUp',
			text: `${about} got a success that doesn't say whether it was recorded again: ${answer}`,
			eventId: repeat.transaction.eventId,
		});
	check.doesntFit(
		`it records the same Event ID again, so a payment that is retried is made twice. ${about} got ${answer}`,
	);
}

/** A repeat that the node reports as rejected or unknown, because it doesn't know the code. */
function stateCode(check: Check, about: string, repeat: Exchange): void {
	const { answer } = repeat;
	const entry = answer && !repeat.isRetried ? entryFor(repeat) : undefined;
	if (entry === undefined)
		return check.note(`${about} stays unknown: ${describeAnswer(repeat)}. ${describeSays(repeat)}`);
	check.service.recordedCodes = [check.service.recordedCodes, entry].filter(Boolean).join(', ');
	check.find({
		kind: 'set',
		field: CODES_FIELD,
		value: check.service.recordedCodes,
		text: `${about} got ${describeAnswer(repeat)}, which the node doesn't know. Ask the provider whether this ever means anything else. If not, enter it, and check again with --recorded-codes`,
	});
}

/** Statuses with which a stated code counts. */
const STATED_WITH = [400, 409, 422];

/** What to enter in Codes for Recorded Already, so that this answer is a duplicate. */
function entryFor({ answer, transaction }: Exchange): string | undefined {
	const { status, body } = answer!;
	if (!STATED_WITH.includes(status)) return undefined;
	const { codes, messages } = readTexts(body, status);
	const code = codes.find((one) => one.toLowerCase() !== 'conflict' && !one.includes(','));
	// With 400 or 422, a code can stand for all that is wrong, such as VALIDATION_ERROR.
	if (code !== undefined && status === 409) return code;
	const own = [transaction.eventId, transaction.externalId];
	const parts = messages.flatMap((message) =>
		own.reduce((texts, id) => texts.flatMap((text) => text.split(id)), [message]),
	);
	const [part] = parts
		.map((text) => text.trim())
		.filter((text) => text !== '' && !text.includes('"'))
		.sort((one, other) => other.length - one.length);
	return part ? `"${part}"` : code || (status === 409 ? '409' : undefined);
}

/** Compares what the service names the transactions of two answers: `id`, `transactionId`. */
function compareIds(first: Exchange, repeat: Exchange): 'same' | 'other' | 'notKnown' {
	const [ids, others] = [first, repeat].map(({ answer }) => idsIn(answer?.body));
	const sent = new Set<unknown>(Object.values(repeat.transaction));
	const names = [...ids.keys()].filter((name) => others.has(name) && !sent.has(ids.get(name)));
	if (names.length === 0) return 'notKnown';
	return names.every((name) => ids.get(name) === others.get(name)) ? 'same' : 'other';
}

/** Members that name a transaction, at the top level or one below. Those of requests don't. */
function idsIn(body: unknown): Map<string, unknown> {
	if (!isObject(body)) return new Map();
	const inner = Object.values(body).filter(isObject);
	return new Map(
		[body, ...inner]
			.flatMap((object) => Object.entries(object))
			.filter(([name]) => /^(transaction_?|payment_?)?(id|uuid)$/i.test(name)),
	);
}

async function sendTwoAtOnce(check: Check): Promise<void> {
	const { service, setup } = check;
	const transaction = testTransaction(setup);
	const both = await Promise.all([service.send(transaction), service.send(transaction)]);
	const first = both.find(({ says }) => says.outcome === 'created') ?? both[0];
	const [second] = both.filter((one) => one !== first);
	check.seen.twoAtOnce = second.answer;
	const about = 'The second of two requests at once';
	if (second.says.outcome !== 'unknown' && !second.isRetried)
		return conclude(check, about, second, first);
	check.note(
		second.isRetried
			? `${about} is sent again by the node: ${describeAnswer(second)}`
			: `${about} is unknown in the node: ${describeAnswer(second)}. If two executions send one payment at the same time, one of them says so. Run it again when both have ended, and it says what became of the payment`,
	);
	await pause(1000);
	const repeat = await service.sendWithRetries(repeatOf(check, first));
	conclude(check, 'Repeated after both, it', repeat, first);
}

async function sendOtherAmount(check: Check): Promise<void> {
	const first = check.first!;
	const { transaction } = first;
	const amount = `${transaction.amount.replace(/\d$/, '')}${transaction.amount.endsWith('7') ? 8 : 7}`;
	const other = { ...repeatOf(check, first), amount, baseAmount: amount };
	const exchange = await check.service.sendWithRetries(other);
	check.seen.otherContent ??= exchange.answer;
	const about = `The same Event ID with ${amount} in place of ${transaction.amount}`;
	const { outcome } = exchange.says;
	if (outcome === 'created') return conclude(check, about, exchange, first);
	const answer = describeAnswer(exchange);
	if (outcome === 'duplicate')
		return check.note(
			`${about} is a duplicate in the node, so a corrected amount isn't paid. The answer was ${answer}`,
		);
	check.fits(`${about} ends as ${outcome} in the node. The answer was ${answer}`);
}

/** What the node does after a lost response: it sends the same again, without the first answer. */
async function loseResponse(check: Check): Promise<void> {
	const { service, setup } = check;
	const lost = await service.send(testTransaction(setup));
	const repeat = await service.sendWithRetries(lost.transaction);
	conclude(check, 'A repeat as if the response was lost', repeat, lost);
}

async function sendInvalid(check: Check): Promise<void> {
	const amount = 'not-a-number';
	const invalid = { ...testTransaction(check.setup), amount, baseAmount: amount };
	const exchange = await check.service.sendWithRetries(invalid);
	const { outcome } = exchange.says;
	const answer = describeAnswer(exchange);
	if (outcome === 'rejected') return check.fits(describeSays(exchange));
	if (outcome === 'duplicate')
		return check.doesntFit(`one code means both "recorded already" and "invalid": ${answer}`);
	const then =
		outcome === 'created'
			? 'What is wrong with a payment is then said by a later event, if at all'
			: 'So an invalid payment has to be looked up';
	check.note(`An amount that is no number ends as ${outcome} in the node: ${answer}. ${then}`);
}

async function sendWrongToken(check: Check): Promise<void> {
	const token = randomBytes(24).toString('base64url');
	const exchange = await check.service.send(check.first!.transaction, token);
	const answer = describeAnswer(exchange);
	if (exchange.answer && rejectsToken(exchange.answer))
		return check.fits(`The node requests a new token. The answer was ${answer}`);
	if (['created', 'duplicate'].includes(exchange.says.outcome))
		return check.doesntFit(`it doesn't check the access token. A wrong one got ${answer}`);
	check.note(
		`The node takes the answer to a wrong token for one about the payment: ${answer}. If the service ends a token before its time, payments are rejected until the next one`,
	);
}

async function repeatMuchLater(check: Check): Promise<void> {
	const first = check.first!;
	// To wait would change nothing.
	if (verdictOf(check.findings) === 'doesntFit') return;
	await pause(Math.max(0, first.sentAt + check.setup.waitMs - Date.now()));
	const repeat = await check.service.sendWithRetries(repeatOf(check, first));
	const seconds = Math.round((repeat.sentAt - first.sentAt) / 1000);
	conclude(check, `A repeat after ${seconds} s`, repeat, first);
}

/** What the requests above met. How many the service takes is to ask. */
function readLimits(check: Check): void {
	const answers = check.service.sent.map(({ answer }) => answer);
	const limited = answers.filter((answer) => answer?.status === 429);
	const waits = answers.flatMap((answer) => answer?.headers['retry-after'] ?? []);
	const sent = waits.length > 0 ? waits.map(String).join(', ') : 'never sent';
	check.note(
		`Of ${answers.length} requests, ${limited.length} met the rate limit (429). Retry-After was ${sent}. How many the service takes is to ask`,
	);
}

/** What is asked. `sends` is a clause of the plan that the user agrees to. */
export const QUESTIONS = [
	{ title: 'Access token', sends: 'token requests, one with a wrong secret', ask: askForToken },
	{ title: 'One transaction', sends: 'a transaction', ask: createOne },
	{
		title: 'The same again',
		sends: 'the same, with other times and another reference',
		ask: repeatLater,
	},
	{ title: 'Two at once', sends: 'a new one, twice at the same time', ask: sendTwoAtOnce },
	{ title: 'Another amount', sends: 'the first one with another amount', ask: sendOtherAmount },
	{
		title: 'A lost response',
		sends: 'a new one, and exactly the same again, as after a lost response',
		ask: loseResponse,
	},
	{ title: 'An invalid one', sends: 'one whose amount is no number', ask: sendInvalid },
	{ title: 'A wrong token', sends: 'the first one with an invalid token', ask: sendWrongToken },
	{ title: 'The same again, later', sends: 'the first one after --wait', ask: repeatMuchLater },
];

/** Asks the service one question after the other. */
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
	check.title = 'Limits';
	readLimits(check);
}
