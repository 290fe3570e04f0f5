import type { Credential, N8nClient } from '../../host/n8n/client';
import { APPROVER } from './approvalForm';

/** The credentials of the job nothing-left-in-doubt for its alert and its list. */
export const alertCredentials = async (n8n: N8nClient, mailPort: number): Promise<Credential[]> => [
	await n8n.createCredential('SMTP account', 'smtp', {
		host: '127.0.0.1',
		port: mailPort,
		secure: false,
		disableStartTls: true,
	}),
	await n8n.createCredential('Payment status readers', 'httpBasicAuth', {
		user: APPROVER.username,
		password: APPROVER.password,
	}),
];
