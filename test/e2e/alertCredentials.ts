import type { Credential, N8nClient } from '../../host/n8n/client';

/** The credential by which the jobs send their alerts. */
export const alertCredentials = async (n8n: N8nClient, mailPort: number): Promise<Credential[]> => [
	await n8n.createCredential('SMTP account', 'smtp', {
		host: '127.0.0.1',
		port: mailPort,
		secure: false,
		disableStartTls: true,
	}),
];
