import { REREAD_INTERVAL_MS } from '../../nodes/PaymentsTrigger/signature/VerifierCache';
import { SECRET, signed } from '../support/signed';
import { startReceiver, type Receiver, type Setup } from '../support/engine/triggerServer';

/*
 * The trigger keeps its decrypted credential for some seconds. Here: what that means for secrets
 * that change, and for deliveries that are forged. The rules themselves are tested in
 * test/nodes/PaymentsTrigger/signature/VerifierCache.test.ts.
 */

const BODY = JSON.stringify({ event: 'PAYMENT.CREATED' });
const NEW_SECRET = 'rotated-secret-9876543210';

const receivers: Receiver[] = [];
let workflows = 0;

async function start(setup: Setup = {}): Promise<Receiver> {
	const receiver = await startReceiver({
		workflowId: `cached${++workflows}`,
		parameters: { options: { deduplicate: 0 } },
		...setup,
	});
	receivers.push(receiver);
	return receiver;
}

afterEach(async () => {
	jest.restoreAllMocks();
	for (const receiver of receivers.splice(0)) {
		expect(receiver.thrown).toEqual([]);
		expect(receiver.warnings.join()).not.toContain(SECRET);
		expect(receiver.warnings.join()).not.toContain(NEW_SECRET);
		await receiver.stop();
	}
});

const deliver = async ({ url }: Receiver, secret = SECRET) => {
	const headers = signed(BODY, { secret });
	return (await fetch(url, { method: 'POST', body: BODY, headers })).status;
};

/** Lets time pass for the cache. */
function pass(ms: number) {
	const now = performance.now.bind(performance);
	jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);
}

const setSecret = async ({ credentials }: Receiver, secret: string) =>
	await credentials.seed('c1', 'paymentsWebhookApi', { scheme: 'messageSignature', secret });

test('a new secret works a second after the last reading, and from then on the old one does not', async () => {
	const receiver = await start();
	expect(await deliver(receiver)).toBe(200);
	await setSecret(receiver, NEW_SECRET);
	pass(REREAD_INTERVAL_MS);
	const statuses = await Promise.all(
		Array.from({ length: 10 }, () => deliver(receiver, NEW_SECRET)),
	);
	expect(statuses).toEqual(Array(10).fill(200));
	expect(await deliver(receiver)).toBe(401);
	expect(receiver.credentials.reads).toBe(2);
});

test.each<[string, Setup, Setup]>([
	['workflows', { workflowId: 'one' }, { workflowId: 'other' }],
	['nodes of a workflow', { nodeId: 'one' }, { nodeId: 'other' }],
])('two %s never share a credential, though it has the same ID', async (_, one, other) => {
	const workflowId = 'shared';
	const credential = { scheme: 'messageSignature', secret: NEW_SECRET };
	const parameters = { options: { deduplicate: 0 } };
	const first = await start({ workflowId, parameters, ...one });
	const second = await start({ workflowId, parameters, credential, ...other });
	for (let round = 0; round < 3; round++) {
		const statuses = await Promise.all([
			deliver(first, SECRET),
			deliver(second, SECRET),
			deliver(first, NEW_SECRET),
			deliver(second, NEW_SECRET),
		]);
		expect(statuses).toEqual([200, 401, 401, 200]);
	}
});

test('in the editor, every delivery reads the credential', async () => {
	const receiver = await start({ mode: 'manual' });
	for (let i = 0; i < 3; i++) expect(await deliver(receiver)).toBe(200);
	expect(receiver.credentials.reads).toBe(3);
});
