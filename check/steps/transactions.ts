import { setTimeout as pause } from 'node:timers/promises';

import { doesntFit, fits, note, type Check, type Step } from '../Check';
import { settingOf, type Finding } from '../findings';
import { compareIds, isReplay, readRepeat, type RepeatMeaning } from '../repeat';
import type { Exchange } from '../ServiceUnderTest';
import { testTransaction } from '../testTransaction';
import { describeAnswer, describeOutcome } from '../words';

/** The service answers what it takes for lost only after it has noticed. */
const AFTER_LOST_MS = 1000;

const isCreated = ({ attempt }: Exchange) => attempt.kind === 'created';

/** With the first token, after a second one was requested. */
export const one: Step = {
	title: 'One transaction',
	sends: () => 'one transaction',
	records: () => 1,
	async run(check) {
		const { service, setup } = check;
		const transaction = testTransaction(setup);
		const withFirst = await service.send(transaction);
		let exchange = withFirst;
		if (check.secondToken !== undefined && !isCreated(withFirst)) {
			service.token = check.secondToken;
			exchange = (await service.sendWithRetries(transaction)).at(-1)!;
		}
		check.first = exchange;
		check.saw('created', exchange);
		if (isCreated(exchange)) {
			check.find(
				fits(`The node reports it as created. The answer was ${describeAnswer(exchange)}`),
			);
		} else if (exchange.attempt.kind === 'recorded') {
			// An earlier attempt is the one that was recorded.
			const answer = describeAnswer(withFirst);
			check.find(note(`The transaction is recorded, but no answer said so: ${answer}`));
		} else {
			check.find(
				doesntFit(
					`the node doesn't report a valid transaction as created. It says ${describeOutcome(exchange)}`,
				),
			);
			const { status = 0 } = exchange.answer ?? {};
			check.stopped = status < 200 || status >= 300;
			return;
		}
		if (exchange !== withFirst) findTokenEnd(check, withFirst);
		if (check.secondToken !== undefined) service.token = check.secondToken;
	},
};

/** The transaction was created with the second token, and not with the first one. */
function findTokenEnd(check: Check, { attempt }: Exchange): void {
	if (attempt.kind !== 'failed' || (!attempt.tokenRejected && attempt.result.status !== 403))
		return;
	check.seen.rotatesTokens = true;
	if (!attempt.tokenRejected) {
		check.find(
			doesntFit(
				`a new access token ends the one before, and the service says so with status ${attempt.result.status}, which the node takes for an answer about the payment`,
			),
		);
		return;
	}
	check.find({
		kind: 'set',
		setting: settingOf('credential', 'clientId', 'a client that nothing but this n8n uses'),
		text: 'A new access token ends the one before, so two programs with one client end each other’s tokens',
	});
}

/** What a repeat is, and whether other content may be rejected. */
interface RepeatCase {
	/** A subject, such as "A repeat". */
	about: string;
	first: Exchange;
	hasOtherContent?: boolean;
}

/** Reads the answer to a repeat, and sends another transaction if only its ID can tell. */
export async function meaningOf(
	check: Check,
	first: Exchange,
	repeat: Exchange,
): Promise<RepeatMeaning> {
	const meaning = readRepeat(repeat);
	if (meaning !== 'success') return meaning;
	check.second ??= (await check.service.sendWithRetries(testTransaction(check.setup))).at(-1)!;
	return compareIds(first, repeat, check.second);
}

const lookUp = ({ transaction }: Exchange, text: string, otherwise: string): Finding => ({
	kind: 'lookUp',
	text,
	question: { eventId: transaction.eventId, otherwise },
});

/** Says what a repeat shows, and takes in what the later ones are read with. */
function conclude(
	check: Check,
	{ about, first, hasOtherContent }: RepeatCase,
	repeat: Exchange,
	meaning: RepeatMeaning,
): void {
	const answer = describeAnswer(repeat);
	if (check.seen.recordsAgain && repeat.attempt.kind === 'created')
		return check.find(note(`${about} is recorded again, too: ${answer}`));
	switch (meaning) {
		case 'recognized':
			return check.find(
				fits(
					`${about} is recognized, so the node reports it as duplicate${repeat.needsSettings ? ', with the setting of the verdict' : ''}. The answer was ${answer}`,
				),
			);
		case 'replayed':
			return check.find(
				fits(
					`${about} gets the answer to the first request, so the node reports it as created, and there is one transaction`,
				),
			);
		case 'recordedAgain':
			check.seen.recordsAgain = true;
			return check.find(
				doesntFit(
					`it records the same Event ID again, so a payment that is retried is made twice. ${about} got another transaction: ${answer}`,
				),
			);
		case 'silent':
			check.service.credential.recordedCodes = '409';
			return check.find({
				kind: 'set',
				setting: settingOf('credential', 'recordedCodes', '409'),
				text: `${about} got status 409 without a reason. Ask the provider if it means anything else by it (question 2)`,
			});
		case 'rejected':
			return check.find(
				hasOtherContent
					? fits(`${about} is rejected, and the node says so: ${repeat.says.message}`)
					: doesntFit(
							`${about.toLowerCase()} is answered in words that the node doesn't know, so it reports a payment that is recorded as rejected: ${answer}`,
						),
			);
		case 'unknown':
			return check.find(
				doesntFit(
					`the node can't tell from the answer to ${about.toLowerCase()} that the payment is recorded, and reports it as unknown: ${answer}`,
				),
			);
		case 'notStated':
			return check.find(
				lookUp(
					first,
					`${about} got a success that doesn't say whether it was recorded again${first.answer ? '' : ', or the first request never arrived'}: ${answer}`,
					`it records the same Event ID again, so a payment that is retried is made twice`,
				),
			);
		case 'noResponse':
			return check.find(
				lookUp(first, `${about} got no response`, 'it may record the same Event ID again'),
			);
	}
}

export const sameAgain: Step = {
	title: 'The same again',
	sends: () => 'the same transaction again, and another one if only its ID can tell them apart',
	records: () => 1,
	async run(check) {
		const first = check.first!;
		const repeat = (await check.service.sendWithRetries(first.transaction)).at(-1)!;
		const meaning = await meaningOf(check, first, repeat);
		check.saw('repeated', repeat);
		check.repeatMeaning = meaning;
		conclude(check, { about: 'A repeat', first }, repeat, meaning);
	},
};

export const twoAtOnce: Step = {
	title: 'Two at once',
	sends: () => 'a new transaction, twice at the same time',
	records: () => 1,
	async run(check) {
		const transaction = testTransaction(check.setup);
		const both = await Promise.all([
			check.service.sendWithRetries(transaction),
			check.service.sendWithRetries(transaction),
		]);
		const first = both.flat().find(isCreated);
		const inProgress = both
			.flat()
			.find(
				({ answer, attempt }) =>
					answer?.status === 409 && attempt.kind === 'failed' && attempt.retryable,
			);
		if (inProgress) check.saw('inProgress', inProgress);
		if (!first) {
			const [[last]] = both.map((attempts) => attempts.slice(-1));
			check.find(
				lookUp(
					last,
					`Neither of two requests at once was reported as created: ${describeAnswer(last)}`,
					'it rejects both of two requests at once',
				),
			);
			return;
		}
		const [repeat] = both.map((attempts) => attempts.at(-1)!).filter((last) => last !== first);
		conclude(
			check,
			{ about: 'The second of two requests at once', first },
			repeat,
			await meaningOf(check, first, repeat),
		);
	},
};

export const otherAmount: Step = {
	title: 'Same Event ID, another amount',
	sends: () => 'the first transaction with another amount',
	records: () => 0,
	async run(check) {
		const first = check.first!;
		const amount = first.transaction.amount.replace(/\d(?=\D*$)/, (digit) =>
			String((Number(digit) + 1) % 10),
		);
		const repeat = (
			await check.service.sendWithRetries({ ...first.transaction, amount, baseAmount: amount })
		).at(-1)!;
		check.saw('otherContent', repeat);
		const about = 'The same Event ID with another amount';
		conclude(
			check,
			{ about, first, hasOtherContent: true },
			repeat,
			await meaningOf(check, first, repeat),
		);
	},
};

export const lostResponse: Step = {
	title: 'After a lost response',
	sends: () => 'a new transaction, whose response the check doesn’t wait for, and the same again',
	records: () => 1,
	async run(check) {
		const { service } = check;
		const lost = await service.send(testTransaction(check.setup), { hangsUp: true });
		check.find(
			note(`If a response is lost, the node reports the payment as unknown: ${lost.says.message}`),
		);
		await pause(AFTER_LOST_MS);
		const repeat = (await service.sendWithRetries(lost.transaction)).at(-1)!;
		// There is no first answer to compare it with.
		const read = readRepeat(repeat);
		const meaning = read !== 'success' ? read : isReplay(repeat) ? 'replayed' : 'notStated';
		conclude(check, { about: 'A repeat after a lost response', first: lost }, repeat, meaning);
	},
};
