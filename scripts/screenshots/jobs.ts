import type { Browser, Page } from 'playwright-core';
import { payoutFile, toCsv } from '../../test/support/builders/payoutFile';
import type { Credential, N8nClient } from '../../test/support/n8n/client';
import {
	createPaymentsApi,
	createPaymentsWebhookApi,
	readExample,
} from '../../test/support/n8n/credentials';
import {
	choose,
	decide,
	listRuns,
	openForm,
	readCheck,
	receiveResult,
	upload,
} from '../../test/support/pages/payoutRun';
import type { Shot } from './editor';

interface Service {
	n8n: N8nClient;
	n8nUrl: string;
	url: string;
	client: { clientId: string; clientSecret: string };
	secret: string;
}

const FILE = 'payouts-november.csv';
const APPROVER = { username: 'approver', password: 'only-approvers-know' };

/** The credentials that the jobs of docs/jobs.md have on their pictures. */
async function allCredentials({ n8n, url, client, secret }: Service): Promise<Credential[]> {
	const { username: user, password } = APPROVER;
	return [
		await createPaymentsApi(n8n, { url, ...client }),
		await createPaymentsWebhookApi(n8n, secret),
		await n8n.createCredential('Payout approver', 'httpBasicAuth', { user, password }),
		await n8n.createCredential('OpenAI account', 'openAiApi', { apiKey: 'not-a-key' }),
	];
}

/** The pictures of docs/jobs.md of two jobs on the canvas, and of the pages of the payout run. */
export async function takePayoutRunPictures(
	browser: Browser,
	editor: Page,
	service: Service,
	shot: Shot,
) {
	const { n8n } = service;
	const credentials = await allCredentials(service);
	for (const name of ['payout-run-with-approval', 'where-is-my-payment']) {
		const example = readExample(`jobs/${name}`);
		const isGiven = (type: string) => credentials.some((credential) => credential.type === type);
		for (const node of example.nodes)
			if (!Object.keys(node.credentials ?? {}).every(isGiven)) delete node.credentials;
		const { id } = await n8n.importWorkflow(example, credentials);
		await editor.goto(`/workflow/${id}`);
		await editor.getByTestId('canvas-node').first().waitFor();
		await editor.keyboard.press('1'); // zooms to fit
		await shot(editor, name);
	}

	const example = readExample('jobs/payout-run-with-approval');
	const workflow = await n8n.importWorkflow(example, credentials);
	await n8n.activate(workflow);
	const formUrl = (trigger: string) =>
		`${service.n8nUrl}/form/${workflow.nodes.find(({ name }) => name === trigger)!.webhookId}`;
	const uploader = await openForm(browser, formUrl('Upload Payout File'));
	await upload(uploader, toCsv(payoutFile('INV-2026', 40, 4), FILE), 'Lena Fischer');
	await readCheck(uploader);
	await shot(uploader, 'payout-run-check');
	const result = receiveResult(uploader);
	await choose(uploader, 'Ask for approval');
	await uploader.waitForTimeout(2000); // until the payout run waits
	const approver = await openForm(browser, formUrl('Approve Payouts'), APPROVER);
	const runs = await listRuns(approver, 'Amir Khan');
	const [run] = runs.find((cells) => cells.includes(FILE))!;
	await shot(approver, 'payout-run-approval');
	await decide(approver, run, 'Approve');
	await result;
	await n8n.deactivate(workflow);
}
