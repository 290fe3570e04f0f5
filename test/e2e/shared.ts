import { N8nClient } from '../../host/n8n/client';
import { createPaymentsApi } from '../../host/n8n/credentials';
import { SandboxClient } from '../../sandbox/client';

/** The n8n that setup.ts started for all tests, signed in. */
export const sharedN8n = () => new N8nClient(process.env.E2E_N8N_URL!, process.env.E2E_N8N_SESSION);

/** The sandbox that setup.ts started for this worker of Jest, as good as new. */
export async function newSandbox(): Promise<SandboxClient> {
	const urls = process.env.E2E_SANDBOXES!.split(' ');
	const sandbox = new SandboxClient(urls[Number(process.env.JEST_WORKER_ID) - 1]);
	await sandbox.reset({ everything: true });
	return sandbox;
}

/** Such a sandbox with a client, and the credential for it. */
export async function newService(n8n: N8nClient) {
	const sandbox = await newSandbox();
	const client = await sandbox.createClient({ name: 'n8n' });
	const credential = await createPaymentsApi(n8n, { url: sandbox.url, ...client });
	return { sandbox, client, credential };
}

/** For a whole test file: such a service, there before its first test. */
export function useService(n8n: N8nClient): Awaited<ReturnType<typeof newService>> {
	const service = {} as Awaited<ReturnType<typeof newService>>;
	beforeAll(async () => void Object.assign(service, await newService(n8n)));
	return service;
}

/** Of the full number, E2E_SCALE takes a share from 0 to 1. */
export const scaled = (count: number) => Math.ceil(count * Number(process.env.E2E_SCALE ?? 1));
