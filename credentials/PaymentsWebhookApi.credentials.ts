import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

/** The signing secrets and the signature scheme of one webhook endpoint. */
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
					name: 'HMAC-SHA256 of the Body',
					value: 'hmacSha256',
					description:
						'One header with the signature in hex or base64, with or without the prefix sha256=',
				},
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
			],
		},
		{
			displayName: 'Header Name',
			name: 'headerName',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. X-Signature',
			description: 'Header with the signature',
			displayOptions: { show: { scheme: ['hmacSha256'] } },
		},
		{
			displayName: 'Signing Secret',
			name: 'secret',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'Secret of the webhook endpoint, as the dashboard of the service shows it. For Standard Webhooks, it usually starts with whsec_.',
		},
		{
			displayName: 'Previous Secret',
			name: 'previousSecret',
			type: 'string',
			typeOptions: { password: true },
			// When an expression names a secret that a vault no longer has, n8n reads no field at all.
			noDataExpression: true,
			default: '',
			placeholder: 'The old secret, while you change it',
			description:
				'Only while you change the secret: the old one. Deliveries signed with either are accepted until you clear this field.',
		},
		{
			displayName:
				'n8n can only check the form of the secret, although it says "Connection tested successfully". Send an event from the service to see that the secret is the right one.',
			name: 'formNotice',
			type: 'notice',
			default: '',
		},
	];
}
