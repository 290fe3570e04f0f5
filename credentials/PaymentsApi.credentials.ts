import {
	UserError,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INodeProperties,
} from 'n8n-workflow';

import { choice, flag, text } from '../nodes/shared/properties';
import {
	probeBaseUrl,
	needsFreshToken,
	rememberHttpHelper,
	test,
} from '../nodes/shared/credentialTest';
import { parseServiceUrl } from '../nodes/shared/serviceUrl';
import { ownToken, getToken, ForceTokenRefresh } from '../nodes/shared/token/tokenRequest';

/** Who you are: client id and secret become a bearer token, one exchange at a time (service interface, section 5). */
export class PaymentsApi implements ICredentialType {
	name = 'paymentsApi';

	displayName = 'Payments API';

	icon = { light: 'file:../icons/payments.svg', dark: 'file:../icons/payments.dark.svg' } as const;

	documentationUrl =
		'https://github.com/n8n-nodes-payments/n8n-nodes-payments/blob/main/docs/credential.md';

	properties: INodeProperties[] = [
		text(
			'Auth URL',
			'authUrl',
			'Where the service issues tokens, without the path /passport/oauth/token',
			{ required: true, placeholder: 'e.g. https://auth.example.com' },
		),
		text(
			'Base URL',
			'baseUrl',
			'Where the service takes transactions, without the path /api/v1/transactions',
			{ required: true, placeholder: 'e.g. https://api.example.com' },
		),
		text('Client ID', 'clientId', "From the Developers section of the service's dashboard", {
			required: true,
		}),
		text(
			'Client Secret',
			'clientSecret',
			'Shown once in the dashboard, when the client is created. If it is lost, create a new client.',
			{
				required: true,
				typeOptions: { password: true },
			},
		),
		choice('Scope', 'scope', 'What the token may be used for', [
			['PAYMENTS', 'PAYMENTS', 'What the payments interface needs'],
			['PAYMENTS and payments.*', 'PAYMENTS payments.*', 'If your service asks for both'],
			['OXYGEN', 'OXYGEN', 'A token of the OXYGEN kind'],
		]),
		flag(
			'Allow Unencrypted HTTP',
			'allowHttp',
			'Whether addresses that start with http:// may be used. The secret would travel readable for everybody on the way; addresses on this machine are always allowed.',
		),
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
	];

	/** n8n calls it when there is no token, and when the service answered 401 to the one in `credentials`. */
	async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject) {
		rememberHttpHelper(credentials, this.helpers.httpRequest);
		return { accessToken: await getToken(credentials, this.helpers.httpRequest) };
	}

	/**
	 * Adds the token to a request, if it may travel there. A function and not an expression, because n8n evaluates an expression anew
	 * for every request.
	 */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions & { uri?: string },
	): Promise<IHttpRequestOptions> => {
		// n8n's HTTP Request node still calls the address `uri`.
		const url = (request.baseURL ?? '') + (request.url ?? request.uri);
		const { problem } = parseServiceUrl(url.startsWith('/') ? '' : url, 'Base URL', {
			allowHttp: credentials.allowHttp === true,
		});
		if (problem !== undefined) throw new UserError(problem);
		const token = ownToken(credentials);
		if (token === undefined || needsFreshToken(credentials, { method: request.method, url }))
			throw new ForceTokenRefresh();
		const bearer = { Authorization: `Bearer ${token}` };
		await probeBaseUrl(credentials, { method: request.method, url, headers: bearer });
		return { ...request, headers: { ...request.headers, ...bearer } };
	};

	test = test;
}
