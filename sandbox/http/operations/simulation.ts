import type { FastifyRequest } from 'fastify';
import { scenarioFile } from '../../state/scenarios';
import type { SandboxState } from '../../state/sandboxState';
import { hasParty } from '../../state/transactions';
import type {
	NewEventSequence,
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
	accountId?: string;
}

interface TransactionQuery extends PageQuery {
	eventId?: string;
	externalId?: string;
	duplicated?: boolean;
	partyId?: string;
}

const idOf = (request: FastifyRequest) => (request.params as ById['Params']).id;

/** Virtual accounts, payments, transactions, and event sequences. */
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
		const { status, eventId, accountId, ...page } = request.query as PaymentQuery;
		return state.payments.log.page(
			page,
			(payment) =>
				(status ?? payment.status) === payment.status &&
				(eventId ?? payment.metadata.eventId) === payment.metadata.eventId &&
				(accountId === undefined || [payment.fromId, payment.toId].includes(accountId)),
		);
	},
	createPayment: async (request, reply) =>
		await reply.code(201).send(state.payments.create(request.body as NewPayment)),
	getPayment: async (request) => state.payments.get(idOf(request)),
	setPaymentStatus: async (request) =>
		state.payments.setStatus(idOf(request), (request.body as { status: PaymentStatus }).status),

	listSequences: async () => ({ items: [...state.sequences.stored.values()] }),
	createSequence: async (request, reply) =>
		await reply.code(201).send(state.sequences.create(request.body as NewEventSequence)),
	getSequence: async (request) => state.sequences.get(idOf(request)),
	deleteSequence: async (request, reply) => {
		state.sequences.delete(idOf(request));
		return await reply.code(204).send();
	},
	replaySequence: async (request, reply) =>
		await reply.code(202).send(state.sequences.replay(idOf(request))),

	getScenarioFile: async (_request, reply) =>
		await reply
			.type('text/csv; charset=utf-8')
			.header('content-disposition', 'attachment; filename="scenarios.csv"')
			.send(scenarioFile()),
	listTransactions: async (request) => {
		const { eventId, externalId, duplicated, partyId, ...page } = request.query as TransactionQuery;
		const { log } = state.transactions;
		if (eventId !== undefined) {
			// Looked up by key: tests look up each of thousands.
			const stored = log.get(eventId);
			const { total, dropped, from } = log.page({ limit: 1 });
			return { items: stored ? [stored] : [], total, dropped, from };
		}
		return log.page(
			page,
			({ transaction, seen }) =>
				(externalId ?? transaction.externalId) === transaction.externalId &&
				(duplicated === undefined || seen > 1 === duplicated) &&
				(partyId === undefined || hasParty(transaction, partyId)),
		);
	},
});
