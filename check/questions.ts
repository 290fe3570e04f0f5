import { asSentences } from '../nodes/shared/result';
import { ISSUER_PATH, TRANSACTIONS_PATH } from '../nodes/shared/serviceUrl';
import { isRedirect, isWebPage, statusSays } from '../nodes/shared/statuses';
import { askMore } from './asking';
import { Check } from './Check';
import { chooseCodes } from './codes';
import {
	concludeAtOnce,
	concludeCodes,
	concludeInvalid,
	concludeOtherAmount,
	concludePast,
	concludeSameAgain,
	concludeWrongToken,
	otherContentOf,
	refusedOf,
	repeatsOf,
} from './conclusions';
import { chooseByKey, concludeKey, isKeptByKey } from './idempotencyKey';
import { concludeLimits } from './limits';
import { CliError, type Setup } from './options';
import { answerOf } from './reading';
import { describeAnswer, describeSays, sentence } from './report';
import { Service, type Exchange } from './Service';

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

/** @returns nothing if it isn't created, so that nothing more can be asked */
async function createOne(check: Check): Promise<Exchange | undefined> {
	const exchange = await check.service.sendWithRetries(check.service.newTransaction());
	if (exchange.says.outcome !== 'created') return explainNotCreated(check, exchange);
	check.fits(`The node reports it as created. The answer was ${describeAnswer(exchange)}`);
	return exchange;
}

/** @throws if the answer is about the address or the client, and not about the transaction */
function explainNotCreated(check: Check, exchange: Exchange): undefined {
	const { says, answer: read } = exchange;
	const answer = answerOf(exchange);
	const url = check.setup.transactionsUrl;
	if (!answer) throw cannotCheck(`${url} gave no answer: ${says.message}. ${CHECK_BASE_URL}`);
	const got = `${url} answers a valid transaction with ${describeAnswer(exchange)}`;
	const isPage = isWebPage(answer.headers['content-type'], answer.body);
	const { status } = answer;
	const isElsewhere =
		isRedirect(status) || ['noSuchPath', 'wrongMethod'].includes(statusSays(status));
	if (isPage || isElsewhere)
		throw cannotCheck(`${got}, so the Base URL is probably wrong. ${CHECK_BASE_URL}`);
	const fix = says.outcome === 'rejected' ? says.fix : 'Ask the provider why.';
	if (read.shows !== 'decision') throw cannotCheck(`${got}. ${fix}`);
	check.doesntFit(
		`a valid transaction isn't created. ${sentence(describeSays(exchange))} If it declines your test parties, the amount, the currency, or the scheme, check again with others, or, if it declines the header Idempotency-Key, with --no-idempotency-key`,
	);
}

/** What is concluded when everything is asked. */
const CONCLUSIONS: Array<[title: string, conclude: (check: Check) => void]> = [
	['An invalid one', concludeInvalid],
	['One of the past', concludePast],
	['Another amount', concludeOtherAmount],
	['The same again', concludeSameAgain],
	['Two at once', concludeAtOnce],
	['Idempotency-Key', concludeKey],
	['A wrong token', concludeWrongToken],
	['Codes for Recorded Already', concludeCodes],
	['Limits', concludeLimits],
];

/**
 * Checks a service. If only Idempotency-Key keeps a corrected row from being created, checks it
 * without the key, too.
 *
 * @param print says what is sent
 */
export async function checkService(setup: Setup, print?: (line: string) => void): Promise<Check> {
	const check = await askAll(setup, print);
	if (!check.asked || !isKeptByKey(check)) return check;
	const credential = { ...setup.credential, sendIdempotencyKey: false };
	return chooseByKey(check, await askAll({ ...setup, credential }, print));
}

/** Asks the service one question after the other, and concludes when all are answered. */
async function askAll(setup: Setup, print?: (line: string) => void): Promise<Check> {
	const service = new Service(setup, print);
	const check = new Check(setup, service);
	check.title = 'Access token';
	await askForToken(check);
	check.title = 'One transaction';
	const first = await createOne(check);
	if (!first) return check;
	check.asked = await askMore(service, first, setup.waitMs);
	const answered = [repeatsOf(check), refusedOf(check), otherContentOf(check)] as const;
	check.codes = chooseCodes(...answered, setup.credential.recordedCodes);
	service.readAgain(check.codes.entries.join(', '));
	for (const [title, conclude] of CONCLUSIONS) {
		check.title = title;
		conclude(check);
	}
	return check;
}
