import type { FastifyRequest } from 'fastify';
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

/** What happens at the bank. */
export const simulationOperations = (world: SandboxState): Operations => ({
	listVirtualAccounts: async (request) => world.accounts.log.page(request.query as PageQuery),
	createVirtualAccount: async (request, reply) =>
		await reply.code(201).send(world.accounts.create(request.body as NewVirtualAccount)),
	assignBankDetails: async (request) => world.accounts.assignBankDetails(idOf(request)),
	setVirtualAccountStatus: async (request) =>
		world.accounts.setStatus(
			idOf(request),
			(request.body as { status: VirtualAccountStatus }).status,
		),

	listPayments: async (request) => {
		const { status, eventId, ...page } = request.query as PaymentQuery;
		return world.payments.log.page(
			page,
			(payment) =>
				(status ?? payment.status) === payment.status &&
				(eventId ?? payment.metadata.eventId) === payment.metadata.eventId,
		);
	},
	createPayment: async (request, reply) =>
		await reply.code(201).send(world.payments.create(request.body as NewPayment)),
	setPaymentStatus: async (request) =>
		world.payments.setStatus(idOf(request), (request.body as { status: PaymentStatus }).status),

	listTransactions: async (request) => {
		const { eventId, externalId, duplicated, ...page } = request.query as TransactionQuery;
		const { log } = world.transactions;
		if (eventId !== undefined) {
			// By its key, at once: tests look up each of thousands.
			const stored = log.get(eventId);
			const { total, from } = log.page({ limit: 1 });
			return { items: stored ? [stored] : [], total, from };
		}
		return log.page(
			page,
			({ transaction, seen }) =>
				(externalId ?? transaction.externalId) === transaction.externalId &&
				(duplicated === undefined || seen > 1 === duplicated),
		);
	},
});
