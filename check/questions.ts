import { asSentences } from '../nodes/shared/result';
import { ISSUER_PATH, TRANSACTIONS_PATH } from '../nodes/shared/serviceUrl';
import { isRedirect, isWebPage, statusSays } from '../nodes/shared/statuses';
import { askMore, EndedEarly, processed } from './asking';
import {
	concludeAtOnce,
	concludeChanged,
	concludeNew,
	concludeRefused,
	concludeRepeats,
	repeatsOf,
} from './cases';
import { Check } from './Check';
import { chooseCodes, type Answered } from './codes';
import { concludeLimits } from './limits';
import { CliError, type Setup } from './options';
import { answerOf, isCreated, readAttempt } from './reading';
import {
	canBeBetter,
	chooseByKey,
	remarkAccepted,
	remarkCodes,
	remarkKey,
	remarkPast,
	remarkScope,
	remarkWrongToken,
} from './remarks';
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

/** @throws if the answer is about the address or the client, and not about the transaction */
function explainNotCreated(check: Check, exchange: Exchange): void {
	const { says, answer: read } = exchange;
	const answer = answerOf(exchange);
	const url = check.setup.transactionsUrl;
	if (!answer) throw cannotCheck(`${url} gave no answer: ${says.message}. ${CHECK_BASE_URL}`);
	// Of what was answered, only a request beyond a limit wasn't processed.
	processed(exchange);
	const got = `${url} answers a valid transaction with ${describeAnswer(exchange)}`;
	const isPage = isWebPage(answer);
	const { status } = answer;
	const isElsewhere =
		isRedirect(status) || ['noSuchPath', 'wrongMethod'].includes(statusSays(status));
	if (isPage || isElsewhere)
		throw cannotCheck(`${got}, so the Base URL is probably wrong. ${CHECK_BASE_URL}`);
	const fix = says.outcome === 'rejected' ? says.fix : 'Ask the provider why.';
	const again = fix.includes('Scope') ? ' Then check again with --scope.' : '';
	if (read.shows !== 'decision') throw cannotCheck(`${got}. ${fix}${again}`);
	check.doesntFit(
		`a valid transaction isn't created. ${sentence(describeSays(exchange))} If it declines your test parties, the amount, the currency, or the scheme, check again with others`,
	);
}

/** What is concluded when everything is asked. */
const CONCLUSIONS: Array<[title: string, conclude: (check: Check) => void]> = [
	['One transaction', remarkAccepted],
	['An invalid one, and corrected', concludeRefused],
	['One of the past', remarkPast],
	['A recorded one, changed', concludeChanged],
	['The same again', concludeRepeats],
	['Two at once', concludeAtOnce],
	['Idempotency-Key', remarkKey],
	['A wrong token', remarkWrongToken],
	['Codes for Recorded Already', remarkCodes],
	['Limits', concludeLimits],
];

/**
 * Checks a service. If it fits only in part, checks it without Idempotency-Key, too.
 *
 * @param print says what is sent
 */
export async function checkService(setup: Setup, print?: (line: string) => void): Promise<Check> {
	const check = new Check(setup, new Service(setup, print));
	await askAll(check);
	if (!canBeBetter(check)) return check;
	const credential = { ...setup.credential, sendIdempotencyKey: false };
	const without = { ...setup, credential };
	const other = new Check(without, new Service(without, print));
	try {
		await askAll(other);
	} catch (error) {
		if (!(error instanceof CliError)) throw error;
		// What the first one found still counts.
		other.find({ kind: 'endedEarly', text: error.message });
	}
	return chooseByKey(check, other);
}

/** Asks the service one question after the other, and concludes when all are answered. */
async function askAll(check: Check): Promise<void> {
	const { setup, service } = check;
	check.title = 'Access token';
	await askForToken(check);
	remarkScope(check);
	check.title = 'One transaction';
	const first = await service.sendWithRetries(service.newTransaction());
	try {
		if (!isCreated(first)) return explainNotCreated(check, first);
		concludeNew(check, first);
		check.asked = await askMore(service, first, setup.waitMs);
	} catch (error) {
		if (!(error instanceof EndedEarly)) throw error;
		return check.find({ kind: 'endedEarly', text: error.message });
	}
	check.codes = chooseCodes(answersOf(check), setup.credential.recordedCodes);
	service.readAgain(check.codes.entries);
	for (const [title, conclude] of CONCLUSIONS) {
		check.title = title;
		conclude(check);
	}
}

/** Lists the answers by what they are to. */
function answersOf(check: Check): Answered {
	const { invalid, corrected, past, otherAmount, otherTimes, otherReference } = check.asked!;
	// If it was accepted, the corrected one is its repeat.
	const isRefused = !isCreated({ ...invalid, ...readAttempt(invalid, []) });
	const isOther = (exchange: Exchange) => !isCreated(exchange);
	return {
		repeats: repeatsOf(check),
		refusals: (isRefused ? [invalid, corrected, past] : [past]).filter(isOther),
		changed: [otherAmount, otherTimes, otherReference].filter(isOther),
		successes: check.service.sent.filter(isCreated),
	};
}
