import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as onboarding from '../../test/support/pages/onboarding';
import { launchBrowser, openEditor, openPage } from '../../test/support/pages/browser';
import { startN8n } from '../../test/support/n8n/startN8n';
import { launchSandbox } from '../../test/support/servers/sandbox';
import { packPackage } from '../pack';
import { stopAll } from '../processes';
import { takePictures, type Shot } from './editor';
import { takeJobPictures, takePayoutRunPictures } from './jobs';

const IMAGES = join(__dirname, '..', '..', 'docs', 'images');
const SIZE = { width: 1280, height: 800 };
/** For workflows with many nodes. */
const WIDE = { width: 1800, height: 1000 };

/** Makes every screenshot of the docs anew: from the packed nodes in a real n8n, and from the sandbox's page, at the addresses that readers have. */
async function main() {
	const { file } = await packPackage();
	const [n8n, service] = await Promise.all([
		startN8n({ tarball: file, port: 5678 }),
		launchSandbox({ port: 8480 }),
	]);
	await n8n.client.setUpOwner();
	const browser = await launchBrowser();
	const shot: Shot = async (page, name) => {
		const path = join(IMAGES, `${name}.png`);
		mkdirSync(dirname(path), { recursive: true });
		await page.waitForTimeout(700); // n8n's panels slide in
		await page.screenshot({ path });
		console.log(path);
	};

	const tabs: onboarding.Tabs = {
		editor: await openEditor(browser, n8n.url, SIZE),
		sandbox: await openPage(browser, { viewport: SIZE, baseURL: service.url }),
		shot: async (page, name) => await shot(page, `quickstart/${name}`),
	};
	const client = await onboarding.createClient(tabs);
	await onboarding.addPaymentsNode(tabs);
	await onboarding.fillInCredential(tabs, { url: service.url, ...client });
	await onboarding.createTransaction(tabs);
	const actionAddress = tabs.editor.url();
	await onboarding.lookAtTransactions(tabs);
	const secret = await onboarding.registerEndpoint(tabs, await onboarding.addTrigger(tabs));
	await onboarding.fillInSecret(tabs, secret);
	await onboarding.hearEvent(tabs);
	const triggerAddress = tabs.editor.url().replace(/(\/workflow\/[^/?]+).*/, '$1');
	await onboarding.moveToProduction(tabs);
	await onboarding.publish(tabs);
	await onboarding.createAnotherTransaction(tabs, actionAddress);
	await onboarding.lookAtRuns(tabs, triggerAddress, 4);

	for (const colorScheme of ['light', 'dark'] as const) {
		const page = await openEditor(browser, n8n.url, { ...SIZE, colorScheme });
		await takePictures(
			page,
			{ n8n: n8n.client, url: service.url, client, secret },
			async (one, name) => await shot(one, `${name}-${colorScheme}`),
		);
		const wide = await openEditor(browser, n8n.url, { ...WIDE, colorScheme });
		await takeJobPictures(
			wide,
			n8n.client,
			async (one, name) => await shot(one, `${name}-${colorScheme}`),
		);
	}
	await takePayoutRunPictures(browser, { n8n: n8n.client, url: service.url, client }, shot);
	await browser.close();
	await stopAll();
}

main().catch(async (error: Error) => {
	await stopAll();
	console.error(error);
	process.exitCode = 1;
});
