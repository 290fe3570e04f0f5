import * as onboarding from '../support/pages/onboarding';
import { launchBrowser, openEditor, openPage } from '../support/pages/browser';
import { startN8n } from '../../host/n8n/startN8n';
import { launchSandbox } from '../../host/sandbox';
import { packPackage } from '../../host/pack';
import { stopAll } from '../../host/processes';
import { takePictures } from './editor';
import { recordRows } from './recording';
import { shoot, shootBoth } from './shots';
import { takeSheetPictures, takeTemplatePictures } from './templates';

const SIZE = { width: 1280, height: 800 };
const RECORDED = { width: 1280, height: 720 };
/** For a whole workflow. */
const WIDE = { width: 1900, height: 1100 };

/**
 * Makes every screenshot of the docs, and README's recording, anew: from the packed nodes in a real
 * n8n, and from the sandbox's page, at the addresses that readers have.
 */
async function main() {
	const { file } = await packPackage();
	const [n8n, service] = await Promise.all([
		startN8n({ tarball: file, port: 5678, env: { N8N_PROXY_HOPS: '1' } }),
		launchSandbox({ port: 8480 }),
	]);
	await n8n.client.setUpOwner();
	const browser = await launchBrowser();
	const tabs: onboarding.Tabs = {
		editor: await openEditor(browser, n8n.url, SIZE),
		sandbox: await openPage(browser, { viewport: SIZE, baseURL: service.url }),
		shot: async (page, name) => await shoot(page, `quickstart/${name}`),
	};
	const client = await onboarding.connectN8n(tabs);
	await onboarding.addPaymentsNode(tabs);
	await onboarding.fillInCredential(tabs, client);
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

	const page = await openEditor(browser, n8n.url, SIZE);
	await takePictures(page, { n8n: n8n.client, url: service.url, client, secret }, shootBoth);
	await takeTemplatePictures(await openEditor(browser, n8n.url, WIDE), n8n.client, shoot);
	await takeSheetPictures(browser, { n8n: n8n.client, url: service.url, client }, shoot);
	await service.client.reset();
	await recordRows({
		editor: await openEditor(browser, n8n.url, RECORDED),
		sandbox: await openPage(browser, { viewport: RECORDED, baseURL: service.url }),
		canvas: await openPage(browser, { viewport: RECORDED }),
		n8n: n8n.client,
		client,
	});
	await browser.close();
	await stopAll();
}

main().catch(async (error: Error) => {
	await stopAll();
	console.error(error);
	process.exitCode = 1;
});
