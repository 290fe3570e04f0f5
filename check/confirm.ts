import { CliError } from '../sandbox/cli/cliError';
import type { Prompt } from './prompt';
import { planOf } from './runCheck';
import type { Setup } from './Setup';

/** Words of an address that isn't for real money. */
const TEST_ENVIRONMENT =
	/(^|[^a-z])(sandbox|test|testing|staging|localhost|127\.0\.0\.1)([^a-z]|$)/i;

/** Whether real money may move at an address. */
export const looksLikeProduction = (url: string): boolean => !TEST_ENVIRONMENT.test(url);

/**
 * Says what the check sends, and asks for consent.
 *
 * @param given.yes whether the user consented before
 * @param given.host what they named as the host of the Base URL
 * @throws CliError without consent
 */
export async function confirm(
	setup: Setup,
	given: { yes: boolean; host?: string },
	prompt: Prompt,
	print: (line: string) => void,
): Promise<void> {
	const { authUrl, baseUrl } = setup.credential;
	const { host } = new URL(baseUrl);
	const { lines, records } = planOf(setup);
	print(
		`The check sends this to ${host}, as many as ${records} transactions of ${setup.amount} ${setup.currency}:`,
	);
	for (const line of lines) print(`  - ${line}`);
	print(
		`From ${setup.sender.externalPaymentChannelId} to ${setup.recipient.externalPaymentChannelId}. It takes about ${Math.ceil(setup.waitMs / 1000) + 15} s.`,
	);
	if ([authUrl, baseUrl].some(looksLikeProduction)) {
		print(
			`Nothing in the addresses says that this is a test environment. If it isn't, money moves.`,
		);
		const typed = given.host ?? (await prompt.ask(`Type the host ${host} to go on: `, 'host'));
		if (typed !== host) throw new CliError(`"${typed}" isn't ${host}. Nothing was sent.`);
	}
	if (given.yes) return;
	const answer = await prompt.ask('Send it? (yes/no) ', 'yes');
	if (!/^y(es)?$/i.test(answer)) throw new CliError('Nothing was sent.');
}
