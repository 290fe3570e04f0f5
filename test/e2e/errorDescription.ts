import type { Page } from 'playwright-core';

import type { WorkflowJson } from '../../host/n8n/client';
import { readExample } from '../../host/n8n/credentials';
import { parseAmount } from '../../nodes/Payments/validation/amount';
import { parseCurrency } from '../../nodes/Payments/validation/parse';
import { asSentences } from '../../nodes/shared/result';

/** A value with everything that n8n's editor could take for something else. */
const AMOUNT = '<b>1</b><img src=x> & `code` %%PARAMETER%% &lt;';

/**
 * The example rows-to-transactions with an amount and a currency that are not valid, and the lines
 * of the description.
 */
export function invalidRows(): { workflow: WorkflowJson; expectedLines: string[] } {
	const workflow = readExample('rows-to-transactions');
	for (const node of workflow.nodes) {
		if (node.name === 'Create Transactions')
			Object.assign(node.parameters, {
				amount: AMOUNT,
				currency: 'EURO',
			});
	}
	const lines = [
		`[all 4 items] 'Amount': ${asSentences(parseAmount(AMOUNT).problem!)}`,
		`[all 4 items] 'Currency': ${asSentences(parseCurrency('EURO').problem!)}`,
	];
	return {
		workflow,
		expectedLines: ['4 of 4 items have something to correct.', ...lines],
	};
}

/** The description of the error that the output panel shows, in the lines that a person sees. */
export async function errorDescription(page: Page): Promise<string[]> {
	const description = page.getByTestId('node-error-description');
	await description.waitFor({ timeout: 30_000 });
	return (await description.innerText()).split('\n');
}
