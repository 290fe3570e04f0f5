import {
	UserError,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INodeProperties,
} from 'n8n-workflow';

import {
	hasFreshToken,
	isCredentialTest,
	probeBaseUrl,
	rememberHttpHelper,
	test,
} from '../nodes/shared/credentialTest';
import { enforceLimits, throwIfRejected } from '../nodes/shared/limits/enforceLimits';
import { parseLimits } from '../nodes/shared/limits/transactionLimits';
import { enterStage } from '../nodes/shared/requestStage';
import { checkAddress, requestUrl, type RequestUrlParts } from '../nodes/shared/serviceUrl';
import {
	describeMissingScope,
	ForceTokenRefresh,
	getToken,
	ownToken,
} from '../nodes/shared/token/tokenRequest';

/** Client ID and client secret, with which n8n requests an access token (service interface, section 5). */
export class PaymentsApi implements ICredentialType {
	name = 'paymentsApi';

	displayName = 'Payments API';

	icon = { light: 'file:../icons/payments.svg', dark: 'file:../icons/payments.dark.svg' } as const;

	documentationUrl =
		'https://github.com/n8n-nodes-payments/n8n-nodes-payments/blob/main/docs/credentials.md';

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
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com',
			description: 'Address to which transactions are sent, without the path /api/v1/transactions',
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
				{
					name: 'OXYGEN',
					value: 'OXYGEN',
					description: 'For an OXYGEN access token',
				},
			],
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
			displayName: 'Max Amount per Transaction',
			name: 'maxAmounts',
			type: 'string',
			default: '',
			placeholder: 'e.g. EUR 1000.00, USD 1200.00',
			description:
				'Largest amount of a single transaction for everyone who uses this credential: one amount for any currency, such as 1000, or amounts by currency, such as EUR 1000, USD 1200. Other currencies are then not allowed, unless you add an amount for them, such as any 500. Leave it empty for no limit.',
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
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
	];

	/** n8n calls it when no token is stored, and when a request came back with status 401. */
	async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject) {
		throwIfRejected(credentials);
		rememberHttpHelper(credentials, this.helpers.httpRequest);
		enterStage(credentials, 'tokenRequest');
		const accessToken = await getToken(credentials, this.helpers.httpRequest);
		enterStage(credentials, 'tokenStorage');
		return { accessToken };
	}

	/**
	 * Adds the access token to a request. It is a function because n8n evaluates an expression again for each request.
	 *
	 * @throws ForceTokenRefresh when there is no token of this client, so that n8n fetches one and calls again
	 * @throws UserError when the token must not go there
	 */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions & RequestUrlParts,
	): Promise<IHttpRequestOptions> => {
		enterStage(credentials, 'authentication');
		const token = ownToken(credentials);
		if (isCredentialTest(request)) {
			const { problem } = parseLimits(credentials);
			if (problem !== undefined) throw new UserError(problem);
			if (token === undefined || !hasFreshToken(credentials)) throw new ForceTokenRefresh();
			// n8n shows a message only when the test fails. A workflow can still use the token: what it permits, the service decides.
			const missingScope = describeMissingScope(credentials);
			if (missingScope !== undefined) throw new UserError(missingScope);
			return await probeBaseUrl(credentials, bearer(token));
		}
		const limited = enforceLimits(credentials, request);
		const problem = checkAddress(requestUrl(limited), 'URL', credentials.allowHttp === true);
		if (problem !== undefined) throw new UserError(problem);
		if (token === undefined) throw new ForceTokenRefresh();
		enterStage(credentials, 'request');
		return { ...limited, headers: { ...limited.headers, ...bearer(token) } };
	};

	test = test;
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
