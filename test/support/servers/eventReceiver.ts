import type { WebhookEvent } from '../../../sandbox/types';
import { sharedSandbox, type SharedSandbox } from './sharedSandbox';
import { startWebhookReceiver, type WebhookReceiver } from './webhookReceiver';

/** Gives each test a sandbox as good as new, and the events that it has sent since. */
export function useEventReceiver(
	assign: (sandbox: SharedSandbox, received: () => WebhookEvent[]) => void,
): void {
	let sandbox: SharedSandbox;
	let receiver: WebhookReceiver;
	beforeAll(async () => {
		[sandbox, receiver] = await Promise.all([sharedSandbox(), startWebhookReceiver()]);
		assign(sandbox, () => receiver.received.map(({ body }) => JSON.parse(body) as WebhookEvent));
	});
	afterAll(async () => await receiver.stop());
	beforeEach(async () => {
		await sandbox.client.reset({ everything: true });
		receiver.received.length = 0;
		await sandbox.client.createEndpoint({ url: receiver.url, events: ['*'] });
	});
}
