import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

import { choice, text } from '../nodes/shared/properties';

/** The secret of one webhook endpoint, and how that endpoint signs (public practice, Webhook delivery). */
export class PaymentsWebhookApi implements ICredentialType {
	name = 'paymentsWebhookApi';

	displayName = 'Payments Webhook API';

	icon: Icon = { light: 'file:../icons/payments.svg', dark: 'file:../icons/payments.dark.svg' };

	documentationUrl =
		'https://github.com/n8n-nodes-payments/n8n-nodes-payments/blob/main/docs/trigger.md#the-credential';

	properties: INodeProperties[] = [
		choice('Signature Scheme', 'scheme', 'How the service signs what it delivers', [
			['Message Signature', 'messageSignature', 'Headers digest, signature-input and signature'],
			[
				'Standard Webhooks',
				'standardWebhooks',
				'Headers webhook-id, webhook-timestamp and webhook-signature',
			],
			[
				'HMAC-SHA256 of the Body',
				'hmacSha256',
				'One header with the signature in hex or base64, with or without sha256=',
			],
			['Fixed Header Value', 'headerValue', 'A header with a value that only the service knows'],
		]),
		text(
			'Secret',
			'secret',
			'The secret of the webhook endpoint, as the dashboard of the service shows it. For a fixed header value, that value.',
			{
				required: true,
				typeOptions: { password: true },
			},
		),
		text(
			'Previous Secret',
			'previousSecret',
			'While the secret is being changed: the one before, which is accepted too. Empty it when the service no longer uses it.',
			{ typeOptions: { password: true } },
		),
		text('Header Name', 'headerName', 'The header that carries the signature or the fixed value', {
			required: true,
			placeholder: 'e.g. X-Signature',
			displayOptions: { show: { scheme: ['hmacSha256', 'headerValue'] } },
		}),
	];
}
