import { PaymentsWebhookApi } from '../../credentials/PaymentsWebhookApi.credentials';
import { responses } from '../../nodes/PaymentsTrigger/responses';
import { SECRET, signed } from '../support/signed';
import { startReceiver, type Receiver, type Setup } from '../support/engine/triggerServer';

/*
 * Secrets that change while the trigger listens, read by n8n with each delivery. Which secret
 * verifies what is decided in test/nodes/PaymentsTrigger/signature/rotation.test.ts.
 */

const NEW_SECRET = 'rotated-secret-9876543210';

const receivers: Receiver[] = [];
let workflows = 0;

async function start(setup: Setup = {}): Promise<Receiver> {
	const receiver = await startReceiver({ workflowId: `rotated${++workflows}`, ...setup });
	receivers.push(receiver);
	return receiver;
}

afterEach(async () => {
	for (const receiver of receivers.splice(0)) {
		expect(receiver.thrown).toEqual([]);
		const logged = [...receiver.warnings, ...receiver.infos].join();
		expect(logged).not.toContain(SECRET);
		expect(logged).not.toContain(NEW_SECRET);
		await receiver.stop();
	}
});

/** Returns the status and the message of the response. */
const deliver = async ({ url }: Receiver, id: string, secret: string) => {
	const body = JSON.stringify({ event: 'PAYMENT.CREATED', id });
	const response = await fetch(url, { method: 'POST', body, headers: signed(body, { secret }) });
	const text = await response.text();
	return `${response.status} ${text && (JSON.parse(text) as { message: string }).message}`.trim();
};
const REJECTED = `401 ${responses.rejected.message}`;
const DUPLICATE = `200 ${responses.duplicate.message}`;

const store = async ({ credentials }: Receiver, data: Record<string, string>) =>
	await credentials.seed('c1', 'paymentsWebhookApi', { scheme: 'messageSignature', ...data });

test('a rotation: each change counts for the next delivery, and an event that both secrets have signed runs once', async () => {
	const receiver = await start();
	expect(await deliver(receiver, 'evt_1', SECRET)).toBe('200');
	expect(await deliver(receiver, 'evt_2', NEW_SECRET)).toBe(REJECTED);

	await store(receiver, { secret: NEW_SECRET, previousSecret: SECRET });
	expect(await deliver(receiver, 'evt_2', NEW_SECRET)).toBe('200');
	expect(await deliver(receiver, 'evt_3', SECRET)).toBe('200');
	expect(await deliver(receiver, 'evt_3', NEW_SECRET)).toBe(DUPLICATE);

	await store(receiver, { secret: NEW_SECRET });
	expect(await deliver(receiver, 'evt_4', SECRET)).toBe(REJECTED);
	expect(await deliver(receiver, 'evt_4', NEW_SECRET)).toBe('200');
	expect(receiver.runs).toHaveLength(4);
	expect(receiver.warnings).toHaveLength(2);
	expect(receiver.warnings[1]).toMatch(/with 401 .*delivery "evt_4".*: .*'Previous Secret'/);
});

test('a Previous Secret that is masked refuses no delivery, and is named with the first rejected one', async () => {
	const previousSecret = 'endpoint-••••••';
	const credential = { scheme: 'messageSignature', secret: NEW_SECRET, previousSecret };
	const receiver = await start({ credential });
	expect(await deliver(receiver, 'evt_1', NEW_SECRET)).toBe('200');
	expect(receiver.warnings).toEqual([]);
	expect(await deliver(receiver, 'evt_2', SECRET)).toBe(REJECTED);
	expect(receiver.warnings).toEqual([expect.stringMatching(/'Previous Secret' is masked/)]);
});

test('the Previous Secret takes no expression: n8n reads none of the fields when the secret of an expression has gone from a vault', () => {
	const { properties } = new PaymentsWebhookApi();
	const field = properties.find(({ name }) => name === 'previousSecret');
	expect(field).toMatchObject({ noDataExpression: true, typeOptions: { password: true } });
});

test('two nodes never share a secret, though their credentials have the same ID', async () => {
	const credential = { scheme: 'messageSignature', secret: NEW_SECRET };
	const [first, second] = [await start(), await start({ credential })];
	const statuses = [
		await deliver(first, 'evt_1', SECRET),
		await deliver(second, 'evt_1', SECRET),
		await deliver(first, 'evt_2', NEW_SECRET),
		await deliver(second, 'evt_2', NEW_SECRET),
	];
	expect(statuses).toEqual(['200', REJECTED, REJECTED, '200']);
});
