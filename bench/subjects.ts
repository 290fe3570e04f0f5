import type { INode } from 'n8n-workflow';

/** Requests per second that the service with a rate limit takes. */
export const RATE_PER_SECOND = 50;

type Measured = Pick<INode, 'type' | 'typeVersion' | 'parameters'> & { credential: string };

const payments = (options: object): Measured => ({
	type: 'n8n-nodes-payments.payments',
	typeVersion: 1,
	parameters: {
		resource: 'transaction',
		operation: 'create',
		specifyTransaction: 'item',
		options,
	} as INode['parameters'],
	credential: 'paymentsApi',
});

/** The nodes that send: the Payments node, and what a user would take in its place. */
export const SUBJECTS = {
	payments: () => payments({}),
	'payments, with the rate set': () => payments({ maxRequestsPerSecond: RATE_PER_SECOND }),
	/** With its own defaults, it sends all requests at once, which is its fastest. */
	'http-request': (url: string): Measured => ({
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: {
			method: 'POST',
			url: `${url}/api/v1/transactions`,
			authentication: 'genericCredentialType',
			genericAuthType: 'oAuth2Api',
			sendBody: true,
			contentType: 'json',
			specifyBody: 'json',
			jsonBody: '={{ $json }}',
			options: {},
		},
		credential: 'oAuth2Api',
	}),
} satisfies Record<string, (url: string) => Measured>;

export type Subject = keyof typeof SUBJECTS;
