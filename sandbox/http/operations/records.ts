import type { Log } from '../../state/log';
import type { SandboxState } from '../../state/sandboxState';
import { search } from '../../state/search';
import type { Delivery, DeliverySummary, NewPayment, PageOf, PaymentStatus } from '../../types';
import { idOf, type Operations } from './types';

/**
 * Returns the newest records of a list.
 *
 * @param query of the request; besides the limit, its parameters are members
 * @param membersOf the members of a record that a parameter can name, if not its own
 */
function pageOf<T extends object>(
	log: Log<T>,
	query: unknown,
	membersOf: (record: T) => object = (record) => record,
): PageOf<T> {
	const { limit, ...wanted } = query as { limit?: number };
	const parameters = Object.entries(wanted);
	return log.page(limit, (record) => {
		const members = membersOf(record) as Record<string, unknown>;
		return parameters.every(([name, value]) => members[name] === value);
	});
}

/** Payments and transactions. */
export const paymentOperations = (state: SandboxState): Operations => ({
	listPayments: async (request) =>
		pageOf(state.payments.log, request.query, ({ status, metadata: { eventId } }) => ({
			status,
			eventId,
		})),
	createPayment: async (request, reply) =>
		await reply.code(201).send(state.payments.create(request.body as NewPayment)),
	getPayment: async (request) => state.payments.log.find(idOf(request)),
	setPaymentStatus: async (request) =>
		state.payments.setStatus(idOf(request), (request.body as { status: PaymentStatus }).status),

	listTransactions: async (request) => {
		const page = pageOf(state.transactions.log, request.query, ({ eventId, seen }) => ({
			eventId,
			duplicated: seen > 1,
		}));
		const items = page.items.map((stored) => ({
			...stored,
			status: state.payments.statusOf(stored.paymentId),
		}));
		return { ...page, items };
	},
});

/** Adds the time of the next attempt, which depends on the current retry schedule. */
function withNextAttempt(delivery: Delivery, intervalMs: number): Delivery {
	const last = delivery.attempts.at(-1);
	if (delivery.status !== 'RETRYING' || !last) return delivery;
	return { ...delivery, nextAttemptAt: Math.round(last.at + last.latencyMs + intervalMs) };
}

/** Returns what a list shows of a delivery: neither body nor headers, which can be large. */
function summary(delivery: Delivery, intervalMs: number): DeliverySummary {
	const { attempts, body: _, url: __, ...rest } = withNextAttempt(delivery, intervalMs);
	const last = attempts.at(-1);
	return {
		...rest,
		attempts: attempts.length,
		...(last && { lastStatus: last.status, lastLatencyMs: last.latencyMs }),
	};
}

/** Requests and deliveries. */
export function trafficOperations(state: SandboxState): Operations {
	const { log } = state.dispatcher;
	const intervalMs = () => state.faults.current.retries.intervalMs;
	return {
		listRequests: async (request) => pageOf(state.requests, request.query),
		getRequest: async (request) => state.requests.find(idOf(request)),
		listDeliveries: async (request) => {
			const page = pageOf(log, request.query);
			return { ...page, items: page.items.map((delivery) => summary(delivery, intervalMs())) };
		},
		getDelivery: async (request) => withNextAttempt(log.find(idOf(request)), intervalMs()),
		resendDelivery: async (request, reply) => {
			const delivery = state.dispatcher.resend(log.find(idOf(request)));
			return await reply.code(202).send(summary(delivery, intervalMs()));
		},
		search: async (request) => ({ items: search(state, (request.query as { id: string }).id) }),
	};
}
