import {
	webhookDescriptionIsNativelyResolvable,
	type ICredentialTestFunctions,
	type ICredentialsDecrypted,
} from 'n8n-workflow';

import { PaymentsTrigger } from '../../../nodes/PaymentsTrigger/PaymentsTrigger.node';
import { SECRET } from '../../support/signed';
import { setUp, type Setup } from '../../support/engine/triggerServer';

let trigger: PaymentsTrigger;
let methods: PaymentsTrigger['webhookMethods']['default'];
beforeEach(() => {
	trigger = new PaymentsTrigger();
	methods = trigger.webhookMethods.default;
});

describe('publishing', () => {
	const activate = async (setup: Setup) => await methods.create.call((await setUp(setup)).hooks);

	test('asks for create each time, and has nothing to take away', async () => {
		expect([await methods.checkExists(), await methods.delete()]).toEqual([false, true]);
	});

	test('succeeds with a credential that can verify, and without one when verification is off', async () => {
		expect(await activate({})).toBe(true);
		expect(await activate({ parameters: { authentication: 'none' }, credential: null })).toBe(true);
	});

	test('succeeds with a Previous Secret that can not be read, and the log names it', async () => {
		const credential = { scheme: 'messageSignature', secret: SECRET, previousSecret: 'short' };
		const { hooks } = await setUp({ credential, workflowId: 'wf5' });
		const warn = jest.spyOn(hooks.logger, 'warn').mockImplementation(() => undefined);
		expect(await methods.create.call(hooks)).toBe(true);
		expect(warn).toHaveBeenCalledTimes(1);
		expect(warn.mock.calls[0][0]).toMatch(
			/wf5, node "Payments Trigger".*'Previous Secret' is shorter.*only the 'Signing Secret' verifies/,
		);
		warn.mockRestore();
	});

	test.each<[string, Setup, RegExp]>([
		['without credential', { credential: null }, /credential.*Payments Webhook API/],
		[
			'with a short secret',
			{ credential: { scheme: 'messageSignature', secret: SECRET.slice(0, 9) } },
			/can't verify a signature.*shorter.*Copy/,
		],
		['without events', { parameters: { events: [] } }, /event type.*'Trigger On'/],
		[
			'with an option that does not exist',
			{ parameters: { options: { deduplicateMinutes: 0 } } },
			/'Options' has no option "deduplicateMinutes".*deduplicate.*paste the node/,
		],
	])('fails %s, and says what to do', async (_, setup, words) => {
		await expect(activate(setup)).rejects.toThrow(words);
		await expect(activate(setup)).rejects.not.toThrow(SECRET.slice(0, 9));
	});
});

describe('the Test button of the credential', () => {
	const press = async (data: ICredentialsDecrypted['data']) =>
		await trigger.methods.credentialTest.paymentsWebhookApiTest.call(
			{} as ICredentialTestFunctions,
			{ id: 'c1', name: 'c', type: 'paymentsWebhookApi', data },
		);

	test.each([
		[{ scheme: 'messageSignature', secret: SECRET }, 'OK', /form/],
		[{ scheme: 'standardWebhooks', secret: 'whsec_no base64' }, 'Error', /bytes in base64/],
		[
			{ scheme: 'messageSignature', secret: SECRET, previousSecret: 'no base64' },
			'Error',
			/'Previous Secret' is shorter/,
		],
		[undefined, 'Error', /Signature Scheme/],
	])('%j: %s', async (data, status, words) => {
		const said = await press(data);
		expect(said).toEqual({ status, message: expect.stringMatching(words) });
		expect(said.message).not.toContain('no base64');
	});
});

test('a delivery needs no expression: n8n can read the whole webhook description natively', () => {
	expect(trigger.description.webhooks!.map(webhookDescriptionIsNativelyResolvable)).toEqual([true]);
	expect(trigger.description.webhooks![0]).toMatchObject({
		path: '={{$parameter["options"]["path"] || ""}}',
		responseMode: '={{$parameter["responseMode"]}}',
	});
	// For version 1 n8n evaluates an expression of its own in every delivery (parseRequestBody).
	expect(trigger.description.version).not.toBe(1);
});

test('in an n8n that reads no parameter natively, the description has the expression', async () => {
	const n8nWorkflow = jest.requireActual<object>('n8n-workflow');
	jest.doMock('n8n-workflow', () => ({ ...n8nWorkflow, webhookDescriptionFields: undefined }));
	try {
		await jest.isolateModulesAsync(async () => {
			const node = await import('../../../nodes/PaymentsTrigger/PaymentsTrigger.node');
			const [webhook] = new node.PaymentsTrigger().description.webhooks!;
			expect(webhook.responseMode).toBe('={{$parameter["responseMode"]}}');
		});
	} finally {
		jest.dontMock('n8n-workflow');
	}
});
