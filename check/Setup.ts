import type { Party } from '../nodes/Payments/Transaction';

/** The data of the credential that n8n would have. The display names are those of the editor. */
export interface Credential {
	[field: string]: string | boolean;
	authUrl: string;
	baseUrl: string;
	clientId: string;
	clientSecret: string;
	scope: string;
	allowHttp: boolean;
	recordedCodes: string;
}

/** What the check needs to know to ask a service. */
export interface Setup {
	credential: Credential;
	sender: Party;
	recipient: Party;
	amount: string;
	currency: string;
	paymentScheme: string;
	/** How many transactions are sent at once at most. 0 for none beyond the usual 20. */
	burst: number;
	/** For how long after the first transaction the service is asked whether it still knows it. */
	waitMs: number;
	/** Total time for each request. */
	timeoutMs: number;
}
