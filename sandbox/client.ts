import axios, { type AxiosInstance, type AxiosRequestConfig } from 'axios';
import { Agent } from 'node:http';
import type { FaultRequest, Faults } from './faults/types';
import type * as T from './types';

/**
 * The management calls of a running sandbox, one method each; the names are the operation ids of `openapi.yaml`.
 * Every method rejects with the sandbox's own sentence when the call is refused.
 */
export class SandboxClient {
	private readonly http: AxiosInstance;

	/** `url`: where the sandbox listens, for example `http://127.0.0.1:8480`. */
	constructor(readonly url: string) {
		// A proxy of the environment must never see, or break, calls to this machine.
		this.http = axios.create({
			baseURL: url,
			proxy: false,
			httpAgent: new Agent({ keepAlive: true }),
		});
	}

	private async call<Answer>(
		method: string,
		path: string,
		data?: unknown,
		params?: object,
	): Promise<Answer> {
		const request: AxiosRequestConfig = {
			method,
			url: `/sandbox${path}`,
			data,
			params,
			validateStatus: () => true,
		};
		const { status, data: answer } = await this.http.request<Answer & { message?: string }>(
			request,
		);
		if (status >= 300) {
			throw new Error(
				`The sandbox answered ${status} to ${method} /sandbox${path}: ${answer?.message ?? JSON.stringify(answer)}`,
			);
		}
		return answer;
	}

	/** The answer is the only place where the secret of a client stands. */
	createClient = async (client: T.NewClient = {}) =>
		await this.call<T.ClientWithSecret>('POST', '/clients', client);
	listClients = async () => (await this.call<{ items: T.Client[] }>('GET', '/clients')).items;
	deleteClient = async (clientId: string) =>
		await this.call<void>('DELETE', `/clients/${encodeURIComponent(clientId)}`);
	listTokens = async () => (await this.call<{ items: T.IssuedToken[] }>('GET', '/tokens')).items;

	createEndpoint = async (endpoint: T.NewEndpoint) =>
		await this.call<T.EndpointWithSecret>('POST', '/endpoints', endpoint);
	listEndpoints = async () => (await this.call<{ items: T.Endpoint[] }>('GET', '/endpoints')).items;
	deleteEndpoint = async (id: string) => await this.call<void>('DELETE', `/endpoints/${id}`);
	revealSecret = async (id: string) =>
		await this.call<T.EndpointSecret>('GET', `/endpoints/${id}/secret`);
	rotateSecret = async (id: string) =>
		await this.call<T.EndpointSecret>('POST', `/endpoints/${id}/secret`);
	/** To this endpoint only, whatever it is subscribed to. */
	sendTestEvent = async (id: string, event: T.NewEvent) =>
		await this.call<T.EventSent>('POST', `/endpoints/${id}/test`, event);
	/** To every endpoint that is subscribed to the kind. */
	emitEvent = async (event: T.NewEvent) => await this.call<T.EventSent>('POST', '/events', event);

	listDeliveries = async (
		query: T.PageQuery & {
			endpointId?: string;
			event?: string;
			eventId?: string;
			status?: T.DeliveryStatus;
		} = {},
	) => await this.call<T.Page<T.DeliverySummary>>('GET', '/deliveries', undefined, query);
	getDelivery = async (id: string) => await this.call<T.Delivery>('GET', `/deliveries/${id}`);
	resendDelivery = async (id: string) =>
		await this.call<T.DeliverySummary>('POST', `/deliveries/${id}/resend`);

	createVirtualAccount = async (account: T.NewVirtualAccount = {}) =>
		await this.call<T.VirtualAccount>('POST', '/virtual-accounts', account);
	listVirtualAccounts = async (query: T.PageQuery = {}) =>
		await this.call<T.Page<T.VirtualAccount>>('GET', '/virtual-accounts', undefined, query);
	/** The account becomes ACTIVE. */
	assignBankDetails = async (id: string) =>
		await this.call<T.VirtualAccount>('POST', `/virtual-accounts/${id}/bank-details`);
	setVirtualAccountStatus = async (id: string, status: T.VirtualAccountStatus) =>
		await this.call<T.VirtualAccount>('PUT', `/virtual-accounts/${id}/status`, { status });

	/** An incoming payment, CREATED; it moves only by `setPaymentStatus`. */
	createPayment = async (payment: T.NewPayment) =>
		await this.call<T.Payment>('POST', '/payments', payment);
	listPayments = async (query: T.PageQuery & { status?: T.PaymentStatus; eventId?: string } = {}) =>
		await this.call<T.Page<T.Payment>>('GET', '/payments', undefined, query);
	setPaymentStatus = async (id: string, status: T.PaymentStatus) =>
		await this.call<T.Payment>('PUT', `/payments/${id}/status`, { status });

	listTransactions = async (
		query: T.PageQuery & { eventId?: string; externalId?: string; duplicated?: boolean } = {},
	) => await this.call<T.Page<T.StoredTransaction>>('GET', '/transactions', undefined, query);

	/** Replaces all faults; what is left out is off, and the random sequence starts again. */
	setFaults = async (faults: FaultRequest) => await this.call<Faults>('PUT', '/faults', faults);
	/** Changes the named faults only. */
	changeFaults = async (faults: FaultRequest) =>
		await this.call<Faults>('PATCH', '/faults', faults);
	getFaults = async () => await this.call<Faults>('GET', '/faults');
	getCounts = async () => await this.call<T.Counts>('GET', '/counts');
	/** Forgets what happened; clients, endpoints and tokens stay unless `everything` is asked for. */
	reset = async (options: { everything?: boolean } = {}) =>
		await this.call<void>('POST', '/reset', undefined, options);
	exportState = async () => await this.call<Record<string, unknown>>('GET', '/state');
	importState = async (state: Record<string, unknown>) =>
		await this.call<void>('PUT', '/state', state);

	/**
	 * Waits until every accepted transaction is at the end of its way and no delivery is pending, and gives the counts.
	 * Rejects after `timeoutMs` with what was still under way.
	 */
	async idle(timeoutMs = 120_000): Promise<T.Counts> {
		const end = Date.now() + timeoutMs;
		for (;;) {
			const counts = await this.getCounts();
			const { processing, inFlight } = counts.transactions;
			const { pending } = counts.deliveries;
			if (processing + inFlight + pending === 0) return counts;
			if (Date.now() > end) {
				throw new Error(
					`After ${timeoutMs / 1000} s the sandbox still had ${inFlight} requests in flight, ${processing} transactions in processing and ${pending} deliveries pending.`,
				);
			}
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	}
}
