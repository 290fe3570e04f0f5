import {
	MAX_AGE_MS,
	REREAD_INTERVAL_MS,
} from '../../nodes/PaymentsTrigger/signature/VerifierCache';
import { SECRET, signed } from '../support/signed';
import { BODY } from '../support/engine/triggerCases';
import { startReceiver, type Receiver, type Setup } from '../support/engine/triggerServer';

/*
 * The trigger keeps its decrypted credential for some seconds. Here: what that means for secrets
 * that change, and for deliveries that are forged. The rules themselves are tested in
 * test/nodes/PaymentsTrigger/signature/VerifierCache.test.ts.
 */

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
		expect(receiver.logged.join()).not.toContain(SECRET);
		expect(receiver.logged.join()).not.toContain(NEW_SECRET);
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

test('deliveries share one reading, concurrent ones and later ones', async () => {
	const receiver = await start();
	const statuses = await Promise.all(Array.from({ length: 30 }, () => deliver(receiver)));
	expect(statuses).toEqual(Array(30).fill(200));
	expect(await deliver(receiver)).toBe(200);
	expect(receiver.credentials.reads).toBe(1);
});

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

test('nothing that was changed stays in use for longer than the cache allows', async () => {
	const rotated = await start();
	const incomplete = await start();
	const deleted = await start();
	const all = [rotated, incomplete, deleted];
	for (const receiver of all) expect(await deliver(receiver)).toBe(200);

	await setSecret(rotated, NEW_SECRET);
	await setSecret(incomplete, '');
	deleted.credentials.stored.clear();
	pass(MAX_AGE_MS);
	const statuses = await Promise.all(all.map((receiver) => deliver(receiver)));
	expect(statuses).toEqual([401, 503, 503]);

	// A credential that could not be used is not kept: mended, it works at once.
	await setSecret(incomplete, SECRET);
	await setSecret(deleted, NEW_SECRET);
	expect(await deliver(incomplete)).toBe(200);
	expect(await deliver(deleted, NEW_SECRET)).toBe(200);
	expect(incomplete.logged.join()).toContain('The secret is empty');
});

test('a deleted credential is noticed by a delivery that does not match', async () => {
	const receiver = await start();
	expect(await deliver(receiver)).toBe(200);
	receiver.credentials.stored.clear();
	pass(REREAD_INTERVAL_MS);
	expect(await deliver(receiver, 'forged')).toBe(503);
	expect(await deliver(receiver)).toBe(503);
});

test('a flood of forged deliveries reads about once a second, and keeps nobody out', async () => {
	const receiver = await start();
	const begun = performance.now();
	for (let round = 0; round < 20; round++) {
		const forged = Array.from({ length: 20 }, (_, i) => deliver(receiver, `forged ${round} ${i}`));
		const right = deliver(receiver);
		expect(new Set(await Promise.all(forged))).toEqual(new Set([401]));
		expect(await right).toBe(200);
	}
	const seconds = (performance.now() - begun) / 1000;
	expect(receiver.runs).toHaveLength(20);
	expect(receiver.credentials.reads).toBeLessThanOrEqual(3 + seconds * 1.2);
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

test('without authentication, none is read', async () => {
	const receiver = await start({ parameters: { authentication: 'none' }, credential: null });
	expect(await deliver(receiver)).toBe(200);
	expect(receiver.credentials.reads).toBe(0);
});
