import axios from 'axios';
import { randomUUID } from 'node:crypto';
import type { N8nClient, StoredWorkflow, WorkflowJson } from '../../host/n8n/client';
import type { Check } from '../support/pages/payoutRun';
import { LIST, numberOf, type Expected } from './treasuryFile';

/* What jobsTreasury.test.ts needs beside the payout run. */

/** Of the full number, E2E_SCALE takes a share from 0 to 1. */
export const scaled = (count: number) => Math.ceil(count * Number(process.env.E2E_SCALE ?? 1));

/** How many rows of the list are right; of the others, what they should say and what they say. */
export interface Verdict {
	right: number;
	/** Something else becomes of it. */
	wrong: string[];
	/** It becomes what it should, but what people read is another amount or reason. */
	misleading: string[];
}

/**
 * Compares what was found in the list with what was expected.
 * @param expectedOf which expectation counts
 */
export function judge(
	{ toCorrect, held, leftOut }: Pick<Check, 'toCorrect' | 'held' | 'leftOut'>,
	expectedOf: (row: (typeof LIST)[number]) => Expected,
): Verdict {
	const textOf = (table: string[][], number: number) =>
		table
			.filter(([row]) => row === String(number))
			.map((cells) => cells.join(' | '))
			.join(' & ');
	const verdict: Verdict = { right: 0, wrong: [], misleading: [] };
	for (const [index, row] of LIST.entries()) {
		const number = numberOf(index);
		const { becomes, amount = '', says = /^/ } = expectedOf(row);
		const found = [
			['to correct', textOf(toCorrect, number)],
			['held', textOf(held, number)],
			['left out', textOf(leftOut, number)],
		].filter(([, text]) => text !== '');
		const [[state, text] = ['paid', amount]] = found;
		const shown = `row ${number}: ${becomes} ${amount} ${says.source}, but ${state}: ${text}`;
		if (found.length > 1 || state !== (becomes === 'not payable' ? 'held' : becomes))
			verdict.wrong.push(shown);
		else if (!says.test(text) || !text.includes(amount)) verdict.misleading.push(shown);
		else verdict.right++;
	}
	return verdict;
}

/** Does it for all, some at a time, and keeps the order. */
export async function each<In, Out>(
	list: In[],
	atATime: number,
	task: (one: In) => Promise<Out>,
): Promise<Out[]> {
	const results: Out[] = [];
	const waiting = [...list.entries()];
	const work = async () => {
		for (let next = waiting.shift(); next; next = waiting.shift())
			results[next[0]] = await task(next[1]);
	};
	await Promise.all(Array.from({ length: atATime }, work));
	return results;
}

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
