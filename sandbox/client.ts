import { setTimeout as wait } from 'node:timers/promises';
import { document } from './contract';
import type {
	ClockChange,
	Counts,
	Faults,
	NewClient,
	NewEndpoint,
	NewEvent,
	NewPayment,
	operations,
	PaymentStatus,
	ServiceError,
} from './types';

type Name = keyof operations;
/** Query parameters of an operation. */
type Query<Operation extends Name> = operations[Operation]['parameters']['query'];
interface Json<Body> {
	content: { 'application/json': Body };
}
/** What an operation responds with if it succeeds. */
type Result<Responses> =
	Responses[keyof Responses & (200 | 201 | 202)] extends Json<infer Body> ? Body : void;

interface Parts {
	/** Of the record in the path. */
	id?: string;
	query?: object;
	body?: object;
}

const POLL_INTERVAL_MS = 50;

type Paths = Record<string, Record<string, { operationId?: string }>>;
/** Method and path of each operation of the contract. */
const routes = new Map<string, { path: string; method: string }>();
for (const [path, item] of Object.entries(document.paths as Paths))
	for (const [method, { operationId }] of Object.entries(item))
		if (operationId) routes.set(operationId, { path, method: method.toUpperCase() });

/**
 * The management operations of a running sandbox. Each method has the name of the operation in
 * `openapi.yaml` that it calls. It rejects with the sandbox's own message when the sandbox rejects
 * the request.
 */
export class SandboxClient {
	/** @param url where the sandbox listens, for example `http://127.0.0.1:8480` */
	constructor(readonly url: string) {}

	/** Only this response contains the client secret. */
	createClient = async (body: NewClient = {}) => await this.call('createClient', { body });
	listClients = async () => (await this.call('listClients')).items;
	deleteClient = async (id: string) => await this.call('deleteClient', { id });

	createEndpoint = async (body: NewEndpoint) => await this.call('createEndpoint', { body });
	listEndpoints = async () => (await this.call('listEndpoints')).items;
	deleteEndpoint = async (id: string) => await this.call('deleteEndpoint', { id });
	revealSecret = async (id: string) => await this.call('revealSecret', { id });

	/** Sends to this endpoint only, whatever it is subscribed to. */
	sendTestEvent = async (id: string, body: NewEvent) =>
		await this.call('sendTestEvent', { id, body });
	/** Sends to every endpoint that is subscribed to the event type. */
	emitEvent = async (body: NewEvent) => await this.call('emitEvent', { body });

	listDeliveries = async (query: Query<'listDeliveries'> = {}) =>
		await this.call('listDeliveries', { query });
	getDelivery = async (id: string) => await this.call('getDelivery', { id });
	resendDelivery = async (id: string) => await this.call('resendDelivery', { id });

	/** The requests to the service's own paths. */
	listRequests = async (query: Query<'listRequests'> = {}) =>
		await this.call('listRequests', { query });
	/** Finds records by any ID. */
	search = async (id: string) => await this.call('search', { query: { id } });
	listTransactions = async (query: Query<'listTransactions'> = {}) =>
		await this.call('listTransactions', { query });

	/** Creates an incoming payment. Its status changes only by `setPaymentStatus`. */
	createPayment = async (body: NewPayment) => await this.call('createPayment', { body });
	listPayments = async (query: Query<'listPayments'> = {}) =>
		await this.call('listPayments', { query });
	setPaymentStatus = async (id: string, status: PaymentStatus) =>
		await this.call('setPaymentStatus', { id, body: { status } });

	/** Replaces all faults: what is left out is off, and the random sequence starts again. */
	setFaults = async (body: Faults) => await this.call('setFaults', { body });
	/** Changes only the faults that are named. */
	changeFaults = async (body: Faults) => await this.call('changeFaults', { body });
	getFaults = async () => await this.call('getFaults');

	getClock = async () => await this.call('getClock');
	/** Freezes or advances the clock. Resolves when all that was due on the way has happened. */
	setClock = async (body: ClockChange) => await this.call('setClock', { body });

	getCounts = async () => await this.call('getCounts');
	/** Deletes what was recorded. Clients, endpoints, and tokens stay unless `everything` is true. */
	reset = async (query: Query<'reset'> = {}) => await this.call('reset', { query });

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
			await wait(POLL_INTERVAL_MS);
		}
	}

	private async call<Operation extends Name>(
		operation: Operation,
		{ id = '', query = {}, body }: Parts = {},
	): Promise<Result<operations[Operation]['responses']>> {
		const { method, path } = routes.get(operation)!;
		const url = new URL(path.replace('{id}', encodeURIComponent(id)), this.url);
		for (const [name, value] of Object.entries(query))
			if (value !== undefined) url.searchParams.set(name, String(value));
		const response = await fetch(url, {
			method,
			...(body && {
				body: JSON.stringify(body),
				headers: { 'content-type': 'application/json' },
			}),
		});
		const text = await response.text();
		const data: unknown = text && JSON.parse(text);
		if (!response.ok) {
			const { message } = data as ServiceError;
			throw new Error(`The sandbox answered ${response.status} to ${url.pathname}: ${message}`);
		}
		return data as Result<operations[Operation]['responses']>;
	}
}
