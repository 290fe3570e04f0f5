import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

/** The signing secret and the signature scheme of one webhook endpoint (public practice, Webhook delivery). */
export class PaymentsWebhookApi implements ICredentialType {
	name = 'paymentsWebhookApi';

	displayName = 'Payments Webhook API';

	icon: Icon = { light: 'file:../icons/payments.svg', dark: 'file:../icons/payments.dark.svg' };

	documentationUrl =
		'https://github.com/n8n-nodes-payments/n8n-nodes-payments/blob/main/docs/credentials.md#payments-webhook-api';

	properties: INodeProperties[] = [
		{
			displayName: 'Signature Scheme',
			name: 'scheme',
			type: 'options',
			default: 'messageSignature',
			description: 'How the service signs its deliveries',
			options: [
				{
					name: 'Message Signature',
					value: 'messageSignature',
					description: 'Headers digest, signature-input, and signature',
				},
				{
					name: 'Standard Webhooks',
					value: 'standardWebhooks',
					description: 'Headers webhook-id, webhook-timestamp, and webhook-signature',
				},
				{
					name: 'HMAC-SHA256 of the Body',
					value: 'hmacSha256',
					description:
						'One header with the signature in hex or base64, with or without the prefix sha256=',
				},
				{
					name: 'Fixed Header Value',
					value: 'headerValue',
					description: 'A header with a value that only the service knows',
				},
			],
		},
		{
			displayName: 'Secret',
			name: 'secret',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'Signing secret of the webhook endpoint, as the dashboard of the service shows it. For a fixed header value, that value.',
		},
		{
			displayName: 'Previous Secret',
			name: 'previousSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Signing secret that is being replaced, accepted as well. Clear it when the service no longer uses it.',
		},
		{
			displayName: 'Header Name',
			name: 'headerName',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. X-Signature',
			description: 'Header with the signature or the fixed value',
			displayOptions: { show: { scheme: ['hmacSha256', 'headerValue'] } },
		},
	];
}
