import { SandboxClient } from '../../../sandbox/client';

/** Starts the sandbox of this worker of Jest, if it isn't running: see test/loadOnce. */
declare const sandboxUrl: () => Promise<string>;

export interface SharedSandbox {
	url: string;
	client: SandboxClient;
}

/** Returns the sandbox that all test files of this worker use, as good as new. */
export async function sharedSandbox(): Promise<SharedSandbox> {
	const url = await sandboxUrl();
	const client = new SandboxClient(url);
	const reset = async () => await client.reset({ everything: true });
	// The sandbox can just be closing the connection that the last test file left open.
	await reset().catch(reset);
	return { url, client };
}
