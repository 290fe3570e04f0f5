import { N8nClient } from '../../host/n8n/client';
import { createPaymentsApi } from '../../host/n8n/credentials';
import { launchSandbox, type Sandbox } from '../../host/sandbox';

/** The n8n that setup.ts started for all tests, signed in. */
export const sharedN8n = () => new N8nClient(process.env.E2E_N8N_URL!, process.env.E2E_N8N_SESSION);

/**
 * A service of one's own, so that its counts are exact, with a client and the credential for it.
 */
export async function ownService(n8n: N8nClient) {
	const sandbox: Sandbox = await launchSandbox();
	const client = await sandbox.client.createClient({ name: 'n8n' });
	const credential = await createPaymentsApi(n8n, { url: sandbox.url, ...client });
	return { sandbox, client, credential };
}

/** For a whole test file: such a service, there before its first test and gone after its last. */
export function useService(n8n: N8nClient): Awaited<ReturnType<typeof ownService>> {
	const service = {} as Awaited<ReturnType<typeof ownService>>;
	beforeAll(async () => void Object.assign(service, await ownService(n8n)));
	afterAll(async () => await service.sandbox?.stop());
	return service;
}

/** Of the full number, E2E_SCALE takes a share from 0 to 1. */
export const scaled = (count: number) => Math.ceil(count * Number(process.env.E2E_SCALE ?? 1));
