import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	webhookDescriptionIsNativelyResolvable,
	type ICredentialTestFunctions,
	type ICredentialsDecrypted,
} from 'n8n-workflow';

import { responses, type DeliveryResponse } from '../../nodes/PaymentsTrigger/responses';
import { PaymentsTrigger } from '../../nodes/PaymentsTrigger/PaymentsTrigger.node';
import { SECRET } from '../support/signed';
import { setUp, type Setup } from './triggerServer';

const trigger = new PaymentsTrigger();
const methods = trigger.webhookMethods.default;

describe('activation', () => {
	const activate = async (setup: Setup) => await methods.create.call((await setUp(setup)).hooks);

	test('asks for create each time, and has nothing to take away', async () => {
		expect([await methods.checkExists(), await methods.delete()]).toEqual([false, true]);
	});

	test('succeeds with a credential that can verify, and without one when verification is off', async () => {
		expect(await activate({})).toBe(true);
		expect(await activate({ parameters: { authentication: 'none' }, credential: null })).toBe(true);
	});

	test.each<[string, Setup, RegExp]>([
		[
			'without credential',
			{ credential: null },
			/no credential is chosen\. Choose or create a Payments Webhook API credential/,
		],
		[
			'with an empty secret',
			{ credential: { scheme: 'messageSignature', secret: ' ' } },
			/cannot verify a signature\. The secret is empty\. Copy/,
		],
		[
			'without header name',
			{ credential: { scheme: 'headerValue', secret: SECRET } },
			/header name is empty/,
		],
		[
			'without events',
			{ parameters: { events: [] } },
			/No event is chosen\. Choose at least one under Trigger On\./,
		],
		[
			'with blank typed events only',
			{ parameters: { events: [], options: { otherEvents: ' , ' } } },
			/No event is chosen/,
		],
	])('fails %s, and says what to do', async (_, setup, words) => {
		await expect(activate(setup)).rejects.toThrow(words);
		await expect(activate(setup)).rejects.not.toThrow(SECRET);
	});
});

describe('the Test button of the credential', () => {
	const press = async (data: ICredentialsDecrypted['data']) =>
		await trigger.methods.credentialTest.paymentsWebhookApiTest.call(
			{} as ICredentialTestFunctions,
			{ id: 'c1', name: 'c', type: 'paymentsWebhookApi', data },
		);

	test('says that the form is right, and what only a delivery can tell', async () => {
		expect(await press({ scheme: 'messageSignature', secret: SECRET })).toEqual({
			status: 'OK',
			message: expect.stringContaining('Send a test event'),
		});
	});

	test('says what is wrong, without the secret', async () => {
		const { status, message } = await press({
			scheme: 'standardWebhooks',
			secret: 'whsec_no base64',
		});
		expect([status, message]).toEqual([
			'Error',
			expect.stringContaining('must be followed by base64'),
		]);
		expect(message).not.toContain('no base64');
		expect((await press(undefined)).status).toBe('Error');
	});
});

test('a delivery needs no expression: n8n can read the whole webhook description natively', () => {
	expect(trigger.description.webhooks!.map(webhookDescriptionIsNativelyResolvable)).toEqual([true]);
	expect(trigger.description.webhooks![0].responseMode).toBe('={{$parameter["responseMode"]}}');
	// For version 1 n8n evaluates an expression of its own in every delivery (parseRequestBody).
	expect(trigger.description.version).not.toBe(1);
});

test('docs/trigger.md tells every way out as the code has it', () => {
	const docs = readFileSync(join(__dirname, '../../docs/trigger.md'), 'utf8');
	for (const [name, answer] of Object.entries<DeliveryResponse>(responses)) {
		const row = docs.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
		const told = row
			?.split('|')
			.slice(3, 6)
			.map((cell) => cell.trim());
		expect([name, told]).toEqual([
			name,
			[String(answer.status), answer.run ? 'yes' : 'no', answer.message || '(empty)'],
		]);
		if (answer.retryAfter) expect(row).toContain(`Retry-After: ${answer.retryAfter}`);
	}
});
