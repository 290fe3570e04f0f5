import type { FastifyRequest } from 'fastify';
import { scenarioFile } from '../../state/scenarios';
import type { SandboxState } from '../../state/sandboxState';
import type {
	NewPayment,
	NewVirtualAccount,
	PageQuery,
	PaymentStatus,
	VirtualAccountStatus,
} from '../../types';
import type { ById, Operations } from './types';

interface PaymentQuery extends PageQuery {
	status?: PaymentStatus;
	eventId?: string;
}

interface TransactionQuery extends PageQuery {
	eventId?: string;
	externalId?: string;
	duplicated?: boolean;
}

const idOf = (request: FastifyRequest) => (request.params as ById['Params']).id;

/** Virtual accounts, payments, and transactions. */
export const simulationOperations = (state: SandboxState): Operations => ({
	listVirtualAccounts: async (request) => state.accounts.log.page(request.query as PageQuery),
	createVirtualAccount: async (request, reply) =>
		await reply.code(201).send(state.accounts.create(request.body as NewVirtualAccount)),
	getVirtualAccount: async (request) => state.accounts.get(idOf(request)),
	assignBankDetails: async (request) => state.accounts.assignBankDetails(idOf(request)),
	setVirtualAccountStatus: async (request) =>
		state.accounts.setStatus(
			idOf(request),
			(request.body as { status: VirtualAccountStatus }).status,
		),

	listPayments: async (request) => {
		const { status, eventId, ...page } = request.query as PaymentQuery;
		return state.payments.log.page(
			page,
			(payment) =>
				(status ?? payment.status) === payment.status &&
				(eventId ?? payment.metadata.eventId) === payment.metadata.eventId,
		);
	},
	createPayment: async (request, reply) =>
		await reply.code(201).send(state.payments.create(request.body as NewPayment)),
	getPayment: async (request) => state.payments.get(idOf(request)),
	setPaymentStatus: async (request) =>
		state.payments.setStatus(idOf(request), (request.body as { status: PaymentStatus }).status),

	getScenarioFile: async (_request, reply) =>
		await reply
			.type('text/csv; charset=utf-8')
			.header('content-disposition', 'attachment; filename="scenarios.csv"')
			.send(scenarioFile()),
	listTransactions: async (request) => {
		const { eventId, externalId, duplicated, ...query } = request.query as TransactionQuery;
		const { log } = state.transactions;
		// Looked up by key: tests look up each of thousands.
		const known = eventId === undefined ? undefined : log.get(eventId);
		const page =
			eventId === undefined
				? log.page(
						query,
						({ transaction, seen }) =>
							(externalId ?? transaction.externalId) === transaction.externalId &&
							(duplicated === undefined || seen > 1 === duplicated),
					)
				: { ...log.page({ limit: 1 }), items: known ? [known] : [], next: undefined };
		const items = page.items.map((stored) => ({
			...stored,
			status: state.payments.statusOf(stored.paymentId),
		}));
		return { ...page, items };
	},
});
