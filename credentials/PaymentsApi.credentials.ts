import {
	UserError,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INodeProperties,
} from 'n8n-workflow';

import { isCredentialTest, probeBaseUrl, test } from '../nodes/shared/credential/credentialTest';
import { useOf, type CredentialUse } from '../nodes/shared/credential/credentialUse';
import { parseCredentialLimits } from '../nodes/shared/limits/credentialLimits';
import { asSentences } from '../nodes/shared/result';
import { checkAddress, requestUrl, type RequestUrlParts } from '../nodes/shared/serviceUrl';
import {
	distrustToken,
	findMissingScope,
	ForceTokenRefresh,
	ownToken,
	renewToken,
} from '../nodes/shared/token/tokenRequest';

/** Client ID and secret, with which n8n requests an access token (service interface, section 5). */
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
			placeholder: 'e.g. harbour-bakery-eur-account, city-power-eur-account',
			description:
				'IDs of the payment channels that everyone who uses this credential may pay to, separated by commas. IDs of entities have no effect. Leave it empty to allow all recipients.',
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
	 * Requests a token. n8n calls it if no token is stored, after status 401, and, in its older HTTP
	 * helper, after any failure. That helper repeats the request if it gets a token, so it gets none
	 * for a request that could do something twice.
	 */
	async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject) {
		const use = useOf(credentials);
		if (use.withheld) throw use.withheld;
		if (use.stage === 'request' && use.mustNotRepeat) {
			// The token may have been rejected, which n8n doesn't say.
			distrustToken(credentials);
			return {};
		}
		use.httpRequest = this.helpers.httpRequest;
		use.stage = 'tokenRequest';
		const timeoutMs = use.paymentsNode?.timeoutMs;
		const accessToken = await renewToken(credentials, this.helpers.httpRequest, timeoutMs);
		use.stage = 'tokenStorage';
		return { accessToken };
	}

	/**
	 * Adds the access token to a request. A function, because an expression could neither check
	 * limits and address nor make n8n fetch a token.
	 *
	 * @throws ForceTokenRefresh if there is no usable token, so that n8n fetches one and calls again
	 * @throws UserError if the token must not be sent there
	 */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions & RequestUrlParts,
	): Promise<IHttpRequestOptions> => {
		const use = useOf(credentials);
		use.stage = 'authentication';
		const { value: limits, problem } = parseCredentialLimits(credentials);
		if (problem) throw withhold(use, asSentences(problem));
		const token = ownToken(credentials);
		if (isCredentialTest(request)) {
			if (token === undefined || !use.httpRequest) throw new ForceTokenRefresh();
			// Only in the test, because a workflow can still use the token. The service decides what for.
			const missingScope = findMissingScope(credentials);
			if (missingScope) throw new UserError(asSentences(missingScope));
			const probe = await probeBaseUrl(credentials, use.httpRequest, bearer(token));
			// Anybody can set the marker of the test, so with limits, n8n gets no token.
			return limits ? { ...probe, headers: {} } : probe;
		}
		if (limits && !use.paymentsNode) throw withhold(use, PAYMENTS_NODE_ONLY);
		const addressProblem = checkAddress(requestUrl(request), 'URL', credentials.allowHttp === true);
		if (addressProblem) throw withhold(use, asSentences(addressProblem));
		const mustReplace = !token || token.needsRenewal || (use.paymentsNode && token.isReplaced);
		if (mustReplace) throw new ForceTokenRefresh();
		use.stage = 'request';
		// Only the older helper has `uri`. The newer one asks for a token only after a 401.
		use.mustNotRepeat = 'uri' in request && !READS.has((request.method ?? 'GET').toUpperCase());
		return {
			...request,
			headers: { ...request.headers, ...bearer(token) },
			...(use.paymentsNode && withinTime(request, use.paymentsNode.timeoutMs)),
		};
	};

	test = test;
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

const PAYMENTS_NODE_ONLY =
	"The credential limits transactions, so only the Payments node can use it. For other requests, use a Payments API credential without limits, of a client that can't create transactions. Nothing was sent.";

const bearer = ({ bearerToken }: { bearerToken: string }) => ({
	Authorization: `Bearer ${bearerToken}`,
});

/** Keeps the token from a request for good. */
function withhold(use: CredentialUse, message: string): UserError {
	use.withheld = new UserError(message);
	return use.withheld;
}

/**
 * Limits the total time of a request. The timeout of the HTTP client begins anew with each byte.
 */
function withinTime({ abortSignal }: IHttpRequestOptions, timeoutMs: number) {
	const signals = [AbortSignal.timeout(timeoutMs), abortSignal as AbortSignal | undefined];
	return { abortSignal: AbortSignal.any(signals.filter((signal) => signal !== undefined)) };
}
