import { findMissingScope } from '../../nodes/shared/token/tokenRequest';
import { asSentences } from '../../nodes/shared/result';
import { doesntFit, fits, note, type Check, type Step } from '../Check';
import { describeAnswer } from '../words';

/** The access token: whether the service issues one, for how long, and with which scope. */
export const token: Step = {
	title: 'Access token',
	sends: () => 'two access token requests, and one with a wrong secret',
	records: () => 0,
	async run(check) {
		const { service } = check;
		const exchange = await service.requestToken();
		const { answer, token: issued, problem } = exchange;
		if (problem) {
			check.find(
				doesntFit(
					`there is no access token: ${asSentences(problem)} The answer was ${describeAnswer(exchange)}`,
				),
			);
			check.stopped = true;
			return;
		}
		check.saw('token', exchange);
		const missing = findMissingScope(service.credential, issued!);
		if (missing) check.find(doesntFit(asSentences(missing).replace(/\.$/, '')));
		const { bearerToken, expiresInSeconds } = issued!;
		const hasLifetime = typeof answer?.body === 'object' && 'expires_in' in (answer.body ?? {});
		check.find(
			hasLifetime
				? fits(`The service issues an access token for ${expiresInSeconds} s`)
				: note(
						`The service issues an access token without a lifetime, so the node uses it for ${expiresInSeconds} s`,
					),
		);
		service.token = bearerToken;
		check.firstToken = { bearerToken, endsAt: Date.now() + expiresInSeconds * 1000 };
		await tryWrongSecret(check);
		const second = await service.requestToken();
		if (second.token) check.secondToken = second.token.bearerToken;
		else check.find(note(`Another access token request at once got ${describeAnswer(second)}`));
	},
};

async function tryWrongSecret(check: Check): Promise<void> {
	const exchange = await check.service.requestToken({
		clientSecret: 'not-the-secret-of-this-client',
	});
	check.saw('wrongSecret', exchange);
	check.find(
		exchange.problem
			? fits(`With a wrong secret, the node says: ${exchange.problem.message}`)
			: doesntFit('it issues an access token for a wrong secret, so it checks none'),
	);
}
