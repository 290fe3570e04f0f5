import {
	UserError,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IDataObject,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INodeProperties,
} from 'n8n-workflow';

import { noteDeparture } from '../nodes/shared/departure';
import { ForceTokenRefresh, renewToken, usableToken } from '../nodes/shared/token/tokenRequest';

/** Client ID and secret, with which n8n requests an access token (docs/interface.md, 5). */
export class PaymentsApi implements ICredentialType {
	name = 'paymentsApi';

	displayName = 'Payments API';

	icon = { light: 'file:../icons/payments.svg', dark: 'file:../icons/payments.dark.svg' } as const;

	documentationUrl =
		'https://github.com/n8n-nodes-payments/n8n-nodes-payments/blob/main/docs/credentials.md';

	// n8n refuses it in every other node, so nothing is sent beyond its limits.
	restrictToSupportedNodes = true as const;

	properties: INodeProperties[] = [
		{
			displayName: 'Auth URL',
			name: 'authUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://auth.example.com',
			description:
				'Address at which the service issues access tokens, without the path /passport/oauth/token',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://api.example.com',
			description:
				'Address to which transactions are sent, without the path /api/v1/transactions. Leave it empty if it is the Auth URL, as for most services.',
		},
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			required: true,
			default: '',
			description: "ID of the client, from the Developers section of the service's dashboard",
		},
		{
			displayName: 'Client Secret',
			name: 'clientSecret',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'Secret of the client. The dashboard shows it once, when you create the client. If you lose it, create a new client.',
		},
		{
			displayName: 'Scope',
			name: 'scope',
			type: 'options',
			default: 'PAYMENTS',
			description: 'What the access token is valid for',
			options: [
				{
					name: 'PAYMENTS',
					value: 'PAYMENTS',
					description: 'What the payments interface requires',
				},
				{
					name: 'PAYMENTS and payments.*',
					value: 'PAYMENTS payments.*',
					description: 'For a service that requires both',
				},
				{ name: 'OXYGEN', value: 'OXYGEN', description: 'For an OXYGEN access token' },
			],
		},
		{
			displayName: 'Max Amount per Transaction',
			name: 'maxAmounts',
			type: 'string',
			default: '',
			placeholder: 'e.g. EUR 1000.00, USD 1200.00',
			description:
				'Largest amount of a single transaction for everyone who uses this credential: one amount for any currency, such as 1000, or amounts by currency, such as EUR 1000, USD 1200. Unlisted currencies are rejected unless you add an amount for any currency, such as any 500. Leave it empty for no limit.',
		},
		{
			displayName: 'Allowed Currencies',
			name: 'allowedCurrencies',
			type: 'string',
			default: '',
			placeholder: 'e.g. EUR, USD',
			description:
				'Currencies of transactions for everyone who uses this credential. Leave it empty to allow all currencies.',
		},
		{
			displayName: 'Allowed Recipients',
			name: 'allowedRecipients',
			type: 'string',
			default: '',
			placeholder: 'e.g. harbour-bakery-eur-account, lena-fischer-account',
			description:
				'IDs of the payment channels that transactions of everyone who uses this credential can go to, separated by commas. IDs of entities have no effect. Leave it empty to allow all recipients.',
		},
		{
			displayName: 'Codes for Recorded Already',
			name: 'recordedCodes',
			type: 'string',
			default: '',
			placeholder: 'e.g. DUPLICATE_TRANSACTION',
			description:
				'Codes of your service that mean it has recorded the Event ID already, separated by commas. Each compares as a whole with the values of the response. 409 stands for every response with status 409 that has no known code. Ask the service before you enter one: a transaction with such an answer counts as recorded.',
		},
		{
			displayName: 'Allow Unencrypted HTTP',
			name: 'allowHttp',
			type: 'boolean',
			default: false,
			description:
				'Whether to allow addresses that start with http://. The secret then travels unencrypted. Addresses of the machine that n8n runs on are always allowed.',
		},
		{
			displayName: 'Send Idempotency-Key Header',
			name: 'sendIdempotencyKey',
			type: 'boolean',
			default: true,
			description:
				'Whether each request has the Event ID in this header, too. Turn it off if your service refuses the header, or repeats its first response to a row that you have corrected since.',
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
	];

	/**
	 * Requests a token, and returns it to be stored. n8n calls it if none is stored, and when
	 * `authenticate` finds none that can be sent.
	 */
	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<IDataObject> {
		const accessToken = await renewToken(credentials, this.helpers.httpRequest);
		return accessToken === undefined ? {} : { accessToken };
	}

	/**
	 * Adds the access token to a request, and limits its total time to its `timeout`, because that
	 * of the HTTP client begins anew with each byte. A function, because an expression could neither
	 * do that nor make n8n get a token.
	 *
	 * @throws ForceTokenRefresh if there is no usable token, so that n8n gets one and calls again
	 * @throws UserError if the execution has ended. Nothing leaves then.
	 */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		// n8n's signal: the execution is canceled.
		const canceled = request.abortSignal as AbortSignal | undefined;
		if (canceled?.aborted)
			throw new UserError('The execution ended before the transaction was sent. Nothing was sent.');
		const token = usableToken(credentials);
		if (token === undefined) throw new ForceTokenRefresh();
		noteDeparture(request.headers, token);
		const headers = { ...request.headers, Authorization: `Bearer ${token}` };
		return { ...request, headers, abortSignal: withinTime(request.timeout, canceled) };
	};
}

/** Composes a signal that aborts a request when its time is up, or when the execution ends. */
function withinTime(timeoutMs: number | undefined, canceled: AbortSignal | undefined) {
	if (timeoutMs === undefined) return canceled;
	const timeout = AbortSignal.timeout(timeoutMs);
	const signal = AbortSignal.any(canceled ? [timeout, canceled] : [timeout]);
	// Node.js 20 forgets a timeout that nobody holds, although a signal made of it is in use.
	return Object.assign(signal, { timeout });
}
