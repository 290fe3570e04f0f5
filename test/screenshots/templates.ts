import type { Browser, Page } from 'playwright-core';
import type { Credential, N8nClient } from '../../host/n8n/client';
import { createPaymentsApi, readExample } from '../../host/n8n/credentials';
import { openFormIn, signInAs } from '../support/pages/forms';
import { filesIn } from '../support/sourceTexts';
import { openWorkflow } from './editor';
import { canvasPart, type Shot } from './shots';

interface Service {
	n8n: N8nClient;
	url: string;
	client: { clientId: string; clientSecret: string };
}

/** The sheet that docs/examples.md shows: one of its amounts can't be read. */
const SHEET = `Invoice;Date;Supplier;Supplier Account;Supplier Country;Amount;Currency
RE-1001;2026-11-02;flanders-flour;flanders-flour-account;BE;1250.00;EUR
RE-1002;2026-11-03;elbe-packaging;elbe-packaging-account;DE;89.90;EUR
RE-1003;2026-11-03;kent-dairy;kent-dairy-account;GB;1.250,00;GBP
RE-1004;2026-11-04;mersey-couriers;mersey-couriers-account;GB;45.50;GBP
`;

/** The templates on the canvas, each as a whole. */
export async function takeTemplatePictures(page: Page, n8n: N8nClient, shot: Shot) {
	for (const path of filesIn('examples', '.json')) {
		if (path.includes('sync/')) continue; // examples/sync/README.md describes them
		const name = path.replace(/^examples\/|\.json$/g, '');
		const template = readExample(name);
		// Nothing is executed: the credentials are there so that the nodes don't show that they lack
		// one.
		const types = template.nodes.flatMap(({ credentials = {} }) => Object.keys(credentials));
		const credentials: Credential[] = [];
		for (const type of new Set(types))
			credentials.push(await n8n.createCredential(type, type, { secret: 'only-for-the-canvas' }));
		await openWorkflow(page, (await n8n.importWorkflow(template, credentials)).id);
		await shot(page, `examples/${name}`, await canvasPart(page));
	}
}

/** The pages of "Pay a sheet after approval": what the approver sees, and what became of it. */
export async function takeSheetPictures(
	browser: Browser,
	{ n8n, url, client }: Service,
	shot: Shot,
) {
	const workflow = await n8n.importWorkflow(readExample('pay-a-sheet-after-approval'), [
		await createPaymentsApi(n8n, { url, ...client }),
	]);
	await n8n.activate(workflow);
	const clerk = await n8n.addMember('lena.fischer@payments.example', 'Lena', 'Fischer');
	const approver = await n8n.addMember('amir.khan@payments.example', 'Amir', 'Khan');
	const form = `${n8n.url}/form/pay-a-sheet`;
	const uploader = await openFormIn(await signInAs(browser, clerk), form);
	const buffer = Buffer.from(SHEET);
	const file = { name: 'payments-november.csv', mimeType: 'text/csv', buffer };
	await uploader.locator('input[type=file]').setInputFiles(file);
	await uploader.getByRole('button', { name: 'Check' }).click();
	await uploader.getByText('To pay:').waitFor();
	const page = await openFormIn(await signInAs(browser, approver), uploader.url());
	await shot(page, 'examples/pay-a-sheet-approval', page.locator('.card').first());
	await page.getByText('Approve', { exact: true }).click();
	await page.getByRole('button', { name: 'Decide' }).click();
	await page.getByRole('heading', { name: 'What became of each row' }).waitFor();
	await shot(page, 'examples/pay-a-sheet-result', page.locator('.card').first());
	await n8n.deactivate(workflow);
}
