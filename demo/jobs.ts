import { randomBytes } from 'node:crypto';
import { OWNER, type Credential, type N8nClient } from '../host/n8n/client';
import { createPaymentsWebhookApi, readExample } from '../host/n8n/credentials';
import type { SandboxClient } from '../sandbox/client';

/** What makes a payout run, each after those that it calls. */
const JOBS = [
	'payment-log',
	'check-payments',
	'save-payout-run',
	'payees',
	'payment-evidence',
	'where-is-my-payment',
	'nothing-left-in-doubt',
	'payout-run-1-upload',
	'payout-run-2-approve',
	'payout-run-3-pay',
	'payout-run-4-follow',
];

/** The approvers are those of the settings that *Set up payments* makes. */
const PEOPLE = [
	['clerk@example.com', 'Clerk', 'uploads files, and enters accounts'],
	['approver@example.com', 'Approver', 'approves'],
	['deputy@example.com', 'Deputy', 'approves, too: above EUR 10,000, both have to'],
];

/**
 * Puts the payout run into service, and invites those who use it. Its emails are turned off: there
 * is no mail server.
 */
export async function connectJobs(
	n8n: N8nClient,
	service: SandboxClient,
	paymentsApi: Credential,
): Promise<void> {
	const read = (file: string) => ({ ...readExample(`jobs/${file}`), id: file });
	const setUp = await n8n.importWorkflow(read('set-up-payments'));
	await n8n.run(setUp, 'When clicking ‘Execute workflow’');
	for (const [email, name] of PEOPLE) await n8n.addMember(email, name, 'Demo');
	const secret = randomBytes(32).toString('hex');
	const credentials = [
		paymentsApi,
		await n8n.createCredential('Payment seals', 'crypto', { hmacSecret: secret }),
		await n8n.createCredential('Callers', 'httpBasicAuth', { user: 'demo', password: secret }),
	];
	for (const file of JOBS) {
		const job = read(file);
		for (const node of job.nodes) node.disabled ||= node.type.endsWith('.emailSend');
		if (file === 'payout-run-4-follow') {
			const { production: url } = await n8n.webhookUrls(job, 'Payments Trigger');
			const endpoint = await service.createEndpoint({ url, events: ['PAYMENT.STATUS_UPDATED'] });
			credentials.push(await createPaymentsWebhookApi(n8n, endpoint.secret));
		}
		await n8n.activate(await n8n.importWorkflow(job, credentials));
	}
}

/** Lists who signs in, and which form is for what. */
export const describeJobs = (url: string): string => {
	const forms = [
		['payees', 'enter an account of a supplier'],
		['payees-approval', 'approve it'],
		['payout-upload', 'upload a file'],
		['payout-approval', 'approve its payments'],
		['payment-evidence', 'see what became of them'],
		['payment-status', 'find a payment'],
		['open-payments', 'see what is open, and save what you found out'],
	];
	return `Payout run: open each form in the private window of who uses it. Its emails are turned off.
${forms.map(([path, what]) => `          ${url}/form/${path}: ${what}`).join('\n')}
${PEOPLE.map(([email, , what]) => `          ${email} ${what}`).join('\n')}
          The password of all is ${OWNER.password}.`;
};
