import { paymentsApiData } from '../../host/n8n/credentials';
import { sharedN8n, useService } from './shared';

/* What becomes of a credential in n8n's database and behind its Test button. */

const n8n = sharedN8n();
const service = useService(n8n);

test('a wrong secret is said in words, and neither the editor nor the message gets it', async () => {
	const clientSecret = 'not-the-secret';
	const data = paymentsApiData({ url: service.sandbox.url, ...service.client, clientSecret });
	const stored = await n8n.createCredential('Payments API', 'paymentsApi', data);
	const tested = await n8n.send<object>('POST', '/credentials/test', {
		credentials: { ...stored, data },
	});
	expect(tested).toMatchObject({
		status: 'Error',
		message: expect.stringMatching(/Client ID.*Client Secret/) as string,
	});
	const read = await n8n.send<{ data: object }>(
		'GET',
		`/credentials/${stored.id}?includeData=true`,
	);
	expect(read.data).toMatchObject({ authUrl: service.sandbox.url });
	for (const seen of [tested, read.data]) expect(JSON.stringify(seen)).not.toContain(clientSecret);
});
