import createClient, { type Middleware } from 'openapi-fetch';
import type {
	ClockChange,
	Counts,
	Faults,
	NewClient,
	NewEndpoint,
	NewEvent,
	NewPayment,
	NewVirtualAccount,
	operations,
	paths,
	PaymentStatus,
	VirtualAccountStatus,
} from './types';

/** Query parameters of an operation. */
type Query<Operation extends keyof operations> = operations[Operation]['parameters']['query'];

const POLL_INTERVAL_MS = 50;

/** Throws what the sandbox says about a request that it rejects. */
const throwRejections: Middleware = {
	async onResponse({ request, response }) {
		if (response.ok) return;
		const text = await response.text();
		const { pathname } = new URL(request.url);
		throw new Error(
			`The sandbox answered ${response.status} to ${request.method} ${pathname}: ${messageOf(text)}`,
		);
	},
};

/** The `message` of a JSON error body, or the body as it is. */
function messageOf(text: string): string {
	try {
		return (JSON.parse(text) as { message?: string }).message ?? text;
	} catch {
		return text;
	}
}

/** The data of a successful response. The middleware has thrown for any other. */
async function dataOf<Data>(response: Promise<{ data?: Data }>): Promise<Data> {
	const { data } = await response;
	return data as Data;
}

/**
 * The management operations of a running sandbox. Each method has the name of the operation in
 * `openapi.yaml` that it calls. It rejects with the sandbox's own message when the sandbox rejects
 * the request.
 */
export class SandboxClient {
	/** The typed client of the whole contract, for what has no method of its own. */
	readonly api;

	/** @param url where the sandbox listens, for example `http://127.0.0.1:8480` */
	constructor(readonly url: string) {
		this.api = createClient<paths>({ baseUrl: url });
		this.api.use(throwRejections);
	}

	/** Only this response contains the client secret. */
	createClient = async (body: NewClient = {}) =>
		await dataOf(this.api.POST('/sandbox/clients', { body }));

	listClients = async () => (await dataOf(this.api.GET('/sandbox/clients'))).items;

	deleteClient = async (id: string) =>
		await dataOf(this.api.DELETE('/sandbox/clients/{id}', { params: { path: { id } } }));

	listTokens = async () => (await dataOf(this.api.GET('/sandbox/tokens'))).items;

	createEndpoint = async (body: NewEndpoint) =>
		await dataOf(this.api.POST('/sandbox/endpoints', { body }));

	listEndpoints = async () => (await dataOf(this.api.GET('/sandbox/endpoints'))).items;

	deleteEndpoint = async (id: string) =>
		await dataOf(this.api.DELETE('/sandbox/endpoints/{id}', { params: { path: { id } } }));

	revealSecret = async (id: string) =>
		await dataOf(this.api.GET('/sandbox/endpoints/{id}/secret', { params: { path: { id } } }));

	rotateSecret = async (id: string) =>
		await dataOf(this.api.POST('/sandbox/endpoints/{id}/secret', { params: { path: { id } } }));

	/** Sends to this endpoint only, whatever it is subscribed to. */
	sendTestEvent = async (id: string, body: NewEvent) =>
		await dataOf(this.api.POST('/sandbox/endpoints/{id}/test', { params: { path: { id } }, body }));

	/** Sends to every endpoint that is subscribed to the event type. */
	emitEvent = async (body: NewEvent) => await dataOf(this.api.POST('/sandbox/events', { body }));

	listEvents = async (query: Query<'listEvents'> = {}) =>
		await dataOf(this.api.GET('/sandbox/events', { params: { query } }));

	/** The requests to the service's own paths. */
	listRequests = async (query: Query<'listRequests'> = {}) =>
		await dataOf(this.api.GET('/sandbox/requests', { params: { query } }));

	listDeliveries = async (query: Query<'listDeliveries'> = {}) =>
		await dataOf(this.api.GET('/sandbox/deliveries', { params: { query } }));

	getDelivery = async (id: string) =>
		await dataOf(this.api.GET('/sandbox/deliveries/{id}', { params: { path: { id } } }));

	resendDelivery = async (id: string) =>
		await dataOf(this.api.POST('/sandbox/deliveries/{id}/resend', { params: { path: { id } } }));

	/** Finds records by any ID. */
	search = async (id: string) =>
		await dataOf(this.api.GET('/sandbox/search', { params: { query: { id } } }));

	createVirtualAccount = async (body: NewVirtualAccount = {}) =>
		await dataOf(this.api.POST('/sandbox/virtual-accounts', { body }));

	listVirtualAccounts = async (query: Query<'listVirtualAccounts'> = {}) =>
		await dataOf(this.api.GET('/sandbox/virtual-accounts', { params: { query } }));

	/** The account becomes ACTIVE. */
	assignBankDetails = async (id: string) =>
		await dataOf(
			this.api.POST('/sandbox/virtual-accounts/{id}/bank-details', { params: { path: { id } } }),
		);

	setVirtualAccountStatus = async (id: string, status: VirtualAccountStatus) =>
		await dataOf(
			this.api.PUT('/sandbox/virtual-accounts/{id}/status', {
				params: { path: { id } },
				body: { status },
			}),
		);

	/** Creates an incoming payment. Its status changes only by `setPaymentStatus`. */
	createPayment = async (body: NewPayment) =>
		await dataOf(this.api.POST('/sandbox/payments', { body }));

	listPayments = async (query: Query<'listPayments'> = {}) =>
		await dataOf(this.api.GET('/sandbox/payments', { params: { query } }));

	setPaymentStatus = async (id: string, status: PaymentStatus) =>
		await dataOf(
			this.api.PUT('/sandbox/payments/{id}/status', { params: { path: { id } }, body: { status } }),
		);

	listTransactions = async (query: Query<'listTransactions'> = {}) =>
		await dataOf(this.api.GET('/sandbox/transactions', { params: { query } }));

	/** Replaces all faults: what is left out is off, and the random sequence starts again. */
	setFaults = async (body: Faults) => await dataOf(this.api.PUT('/sandbox/faults', { body }));

	/** Changes only the faults that are named. */
	changeFaults = async (body: Faults) => await dataOf(this.api.PATCH('/sandbox/faults', { body }));

	getFaults = async () => await dataOf(this.api.GET('/sandbox/faults'));

	getClock = async () => await dataOf(this.api.GET('/sandbox/clock'));

	/** Freezes or advances the clock. Resolves when all that was due on the way has happened. */
	setClock = async (body: ClockChange) => await dataOf(this.api.POST('/sandbox/clock', { body }));

	getCounts = async () => await dataOf(this.api.GET('/sandbox/counts'));

	/** Deletes what was recorded. Clients, endpoints, and tokens stay unless `everything` is true. */
	reset = async (query: Query<'reset'> = {}) =>
		await dataOf(this.api.POST('/sandbox/reset', { params: { query } }));

	/**
	 * Waits until every accepted transaction is processed and no delivery is pending.
	 *
	 * @returns the counts at that time
	 * @throws after `timeoutMs` milliseconds, with what was still pending
	 */
	async idle(timeoutMs = 120_000): Promise<Counts> {
		const deadline = Date.now() + timeoutMs;
		for (;;) {
			const counts = await this.getCounts();
			const { processing, inFlight } = counts.transactions;
			const { pending } = counts.deliveries;
			if (processing + inFlight + pending === 0) return counts;
			if (Date.now() > deadline) {
				throw new Error(
					`After ${timeoutMs / 1000} s the sandbox still had ${inFlight} open requests, ${processing} transactions in processing, and ${pending} deliveries pending.`,
				);
			}
			await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
		}
	}
}
