import { randomBytes } from 'node:crypto';

import type { SendFailure } from '../../nodes/Payments/results';
import { doesntFit, fits, note, type AnswerName, type Check, type Step } from '../Check';
import { testTransaction } from '../testTransaction';
import { describeAnswer, describeOutcome } from '../words';

/** Sends a transaction that the service shouldn't take, and says what the node makes of it. */
async function sendWrong(
	check: Check,
	name: AnswerName,
	changes: object,
	about: string,
): Promise<void> {
	const { service, setup } = check;
	const exchange = (await service.sendWithRetries(testTransaction(setup, changes))).at(-1)!;
	check.saw(name, exchange);
	const { attempt, says, transaction } = exchange;
	if (attempt.kind !== 'failed') {
		check.find(
			note(
				`The service accepts ${about}. If it rejects it later, only an event says so: look up Event ID ${transaction.eventId}`,
			),
		);
	} else if (attempt.result.outcome === 'rejected') {
		const hasReason = / \(status \d+\): /.test(says.message);
		check.find(
			fits(
				`The node says: ${says.message}${hasReason ? '' : '. The service gives no reason that it could show'}`,
			),
		);
	} else {
		check.find(
			doesntFit(
				`the node can't tell from the answer that the service rejected ${about}, and reports it as ${attempt.result.outcome}: ${describeAnswer(exchange)}`,
			),
		);
	}
}

export const invalid: Step = {
	title: 'An invalid one',
	sends: () => 'a transaction whose amount is no number',
	records: () => 0,
	run: async (check) =>
		await sendWrong(
			check,
			'invalid',
			{ amount: 'not-a-number', baseAmount: 'not-a-number' },
			'an amount that is no number',
		),
};

export const wrongCurrency: Step = {
	title: 'A wrong currency',
	sends: () => 'a transaction in a currency that doesn’t exist',
	records: () => 0,
	// Not in ISO 4217.
	run: async (check) =>
		await sendWrong(check, 'wrongCurrency', { currency: 'QQQ' }, 'a currency that doesn’t exist'),
};

export const unknownField: Step = {
	title: 'An unknown field',
	sends: () => 'a transaction with a field more',
	records: () => 1,
	async run(check) {
		const { service, setup } = check;
		const exchange = (
			await service.sendWithRetries(testTransaction(setup, { checkedField: 'check' }))
		).at(-1)!;
		check.saw('unknownField', exchange);
		check.find(
			note(
				exchange.attempt.kind === 'created'
					? 'The service ignores a field that it doesn’t know'
					: `The service doesn’t take a field that it doesn’t know, and the node sends none: ${describeAnswer(exchange)}`,
			),
		);
	},
};

export const wrongToken: Step = {
	title: 'A wrong token',
	sends: () => 'the first transaction with a token that isn’t valid',
	records: () => 0,
	run: async (check) =>
		await sendWithWrongToken(check, randomBytes(24).toString('base64url'), 'A wrong token'),
};

/** @param about a subject, such as "A wrong token" */
export async function sendWithWrongToken(
	check: Check,
	token: string,
	about: string,
): Promise<void> {
	const exchange = await check.service.send(check.first!.transaction, { token });
	check.saw('wrongToken', exchange);
	const { attempt } = exchange;
	if (attempt.kind !== 'failed') {
		check.find(
			doesntFit(`it doesn't check the access token. ${about} got ${describeAnswer(exchange)}`),
		);
	} else if (attempt.tokenRejected) {
		check.find(
			fits(
				`${about} is rejected with status ${statusOf(attempt.result)}, so the node requests a new one`,
			),
		);
	} else if (attempt.result.outcome === 'rejected') {
		check.find(
			note(
				`${about} is rejected with status ${statusOf(attempt.result)}, which the node takes for an answer about the payment. If the service ends a token before its time, payments are rejected until the node requests the next one`,
			),
		);
	} else {
		check.find(
			doesntFit(
				`the node can't tell from the answer that a token isn't valid. It says ${describeOutcome(exchange)}`,
			),
		);
	}
}

const statusOf = ({ status }: SendFailure) => status ?? 0;
