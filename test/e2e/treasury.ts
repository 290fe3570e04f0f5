import axios from 'axios';
import { randomUUID } from 'node:crypto';
import type { N8nClient, StoredWorkflow, WorkflowJson } from '../../host/n8n/client';
import type { Check, Review } from '../support/pages/payoutRun';
import { numberOf, type Expected } from './treasuryFile';

/* What jobsTreasury.test.ts needs beside the payout run. */

/** How many rows of the list are right; of the others, what they should say and what they say. */
export interface Verdict {
	right: number;
	/** Something else becomes of it. */
	wrong: string[];
	/** It becomes what it should, but what people read is another amount or reason. */
	misleading: string[];
}

/** What the Payments node says of an item, which nobody finds in a file. */
const OF_A_NODE = /\bItem \d|'Recipient |'Payment Scheme'/;
/** The tables of a page, whose rows begin with the number in the file, by what becomes of them. */
type Tables = Partial<Record<Expected['becomes'], string[][]>>;

/** Compares the tables of a page with what was expected. What the page doesn't list is in none. */
function judge(tables: Tables, expected: Expected[]): Verdict {
	const verdict: Verdict = { right: 0, wrong: [], misleading: [] };
	for (const [index, { becomes, amount = '', says = /^/ }] of expected.entries()) {
		const number = numberOf(index);
		const found = Object.entries(tables).flatMap(([state, rows]) => {
			const own = rows.filter(([row]) => row === String(number));
			return own.length > 0 ? [[state, own.map((cells) => cells.join(' | ')).join(' & ')]] : [];
		});
		const states = found.map(([state]) => state).join();
		const text = found.map(([, one]) => one).join();
		const shown = `row ${number}: ${becomes} ${amount} ${says.source}, but ${states}: ${text}`;
		if (states !== (tables[becomes] ? becomes : '')) verdict.wrong.push(shown);
		else if (states && !(says.test(text) && text.includes(amount) && !OF_A_NODE.test(text)))
			verdict.misleading.push(shown);
		else verdict.right++;
	}
	return verdict;
}

/** The page of the check has no table of what is paid, and one for all that is held. */
export const judgeCheck = ({ toCorrect, held, leftOut }: Check, expected: Expected[]) =>
	judge(
		{ 'to correct': toCorrect, held, 'left out': leftOut },
		expected.map((one) => (one.becomes === 'not payable' ? { ...one, becomes: 'held' } : one)),
	);

/** The page of the approver has a checkbox for each payment that may be ticked. */
export const judgeReview = ({ toPay, held, others }: Review, expected: Expected[]) =>
	judge(
		{
			paid: toPay,
			held: held.map((label) => [/\d+/.exec(label)![0], label]),
			'not payable': others,
		},
		expected,
	);

/** Opens the chat of a workflow to the outside. */
export function openChat(example: WorkflowJson): WorkflowJson {
	const chat = example.nodes.find(({ type }) => type.endsWith('.chatTrigger'))!;
	chat.parameters = { ...chat.parameters, public: true };
	return example;
}

/** Says something in the chat of a workflow. */
export async function say(n8n: N8nClient, workflow: StoredWorkflow, chatInput: string) {
	const { production } = await n8n.webhookUrls(workflow, 'When chat message received');
	const url = production.replace(/(\/chat)?$/, '/chat');
	const body = { action: 'sendMessage', sessionId: randomUUID(), chatInput };
	const { data } = await axios.post<{ output: string }>(url, body, { proxy: false });
	return data.output;
}
