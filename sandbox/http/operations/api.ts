import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendFaultResponse } from '../../faults/faultyResponses';
import { ServiceError } from '../../state/serviceError';
import { TOKEN_LIFETIME_S } from '../../state/tokens';
import { newSecret } from '../../state/ids';
import type { CheckedBehavior } from '../../like/CheckedBehavior';
import type { SandboxState } from '../../state/sandboxState';
import type { Acceptance } from '../../state/transactions';
import { scenarioOf } from '../../state/scenarios';
import type { Scenario, Scope, StoredTransaction, Transaction } from '../../types';
import { afterLatency, applyResponse, contentGate, tokenGate, transactionGate } from '../gate';
import { asServiceError, sendServiceError, sendTokenError } from '../errorResponses';
import type { Operations } from './types';

interface TokenRequest {
	scope: string;
	client_id: string;
	client_secret: string;
}

/** Sends the correct response, or what a pending fault makes of it. */
function respond(
	request: FastifyRequest,
	reply: FastifyReply,
	on: 'transactions' | 'token',
	{ status, headers = {}, body }: Answer,
): FastifyReply {
	if (request.pendingFault) sendFaultResponse(reply, on, request.pendingFault, { status, body });
	else void reply.code(status).headers(headers).send(body);
	return reply;
}

interface Answer {
	status: number;
	headers?: Record<string, string>;
	body?: unknown;
}

/**
 * Rejects a scope other than PAYMENTS, OXYGEN, and PAYMENTS with payments.* (section 5), or one
 * that the client doesn't have.
 */
function checkScope(scope: string, allowed: Scope[]): void {
	const requested = scope.split(' ').filter(Boolean);
	const known = requested.includes('PAYMENTS') || requested.includes('OXYGEN');
	if (known && requested.every((one) => allowed.includes(one as Scope))) return;
	throw new ServiceError(
		400,
		'invalid_scope',
		`This client can't use the scope ${JSON.stringify(scope)}. Its scopes are: ${allowed.join(', ')}.`,
	);
}

/** What the sandbox itself answers. */
const USUAL_ANSWERS: Record<
	Acceptance | 'tooMany',
	(transaction: Transaction) => { status: number; body: object }
> = {
	created: ({ eventId, externalId }) => ({
		status: 202,
		body: { eventId, externalId, status: 'ACCEPTED' },
	}),
	eventExists: ({ eventId }) => ({
		status: 409,
		body: {
			errorCode: 'EVENT_ALREADY_EXISTS',
			message: `A transaction with the eventId ${eventId} already exists.`,
		},
	}),
	// The words of the IETF draft on the Idempotency-Key header, which gives this case a 409, too.
	inProgress: () => ({
		status: 409,
		body: {
			errorCode: 'REQUEST_IN_PROGRESS',
			message: 'A request is outstanding for this Event ID.',
		},
	}),
	externalIdInUse: ({ externalId }) => ({
		status: 409,
		body: {
			errorCode: 'EXTERNAL_ID_IN_USE',
			message: `The externalId ${externalId} belongs to a transaction with another eventId.`,
			warnings: [{ position: 'externalId', issue: 'Is already in use' }],
		},
	}),
	tooMany: () => ({
		status: 429,
		body: { errorCode: 'TOO_MANY_REQUESTS', message: 'Too many requests.' },
	}),
};

/** Records a transaction, and responds to its request. */
function recordTransaction(
	state: SandboxState,
	request: FastifyRequest,
	reply: FastifyReply,
	scenario?: Scenario,
): void {
	const transaction = request.body as Transaction;
	const { eventId } = transaction;
	const {
		revokeTokens,
		rejectDuplicateExternalIds,
		forgetEventIdsAfterMs = Infinity,
	} = state.faults.current;
	const known = state.transactions.log.get(eventId);
	const isForgotten = ({ firstSeenAt }: StoredTransaction) => {
		const now = state.clock.now();
		return (
			now - firstSeenAt > forgetEventIdsAfterMs ||
			(state.like?.isForgotten(firstSeenAt, now) ?? false)
		);
	};
	const accept = () =>
		state.transactions.accept(
			transaction,
			request.token!.scope,
			rejectDuplicateExternalIds,
			scenario,
			isForgotten,
		);
	if (scenario?.sentBefore && !known) accept();
	const acceptance = accept();
	const played = state.like?.answerTo(acceptance, transaction, known);
	respond(request, reply, 'transactions', played ?? USUAL_ANSWERS[acceptance](transaction));
	if (acceptance !== 'created') return;
	const revocationDue =
		typeof revokeTokens === 'object' &&
		state.counts.transactions.created % revokeTokens.every === 0;
	if (revocationDue) state.tokens.revoke();
}

/** Records a transaction as the service that is played does: with its limits, and in its time. */
function playTransaction(
	state: SandboxState,
	like: CheckedBehavior,
	request: FastifyRequest,
	reply: FastifyReply,
): void {
	const transaction = request.body as Transaction;
	const objection = like.objection(transaction);
	if (objection !== undefined) {
		const usual = objection === 'tooMany' ? 'tooMany' : 'inProgress';
		const answer = like.answer(objection, transaction) ?? USUAL_ANSWERS[usual](transaction);
		respond(request, reply, 'transactions', answer);
		return;
	}
	const end = like.begin(transaction);
	afterLatency(like.behavior.latencyMs ?? 0, () => {
		end();
		recordTransaction(state, request, reply);
	});
}

/** The service's own two operations (section 4). */
export const serviceOperations = (state: SandboxState): Operations => ({
	createToken: {
		onRequest: tokenGate(state),
		preValidation: contentGate,
		errorHandler: (error, request, reply) => {
			state.counts.tokens.rejected++;
			const isWrongSecret = asServiceError(error).errorCode === 'invalid_client';
			const played = isWrongSecret && state.like?.answer('wrongSecret');
			if (played) respond(request, reply, 'token', played);
			else sendTokenError(error, request, reply);
		},
		handler: (request, reply) => {
			const { scope, client_id, client_secret } = request.body as TokenRequest;
			const client = state.clients.authenticate(client_id, client_secret);
			if (!client)
				throw new ServiceError(
					401,
					'invalid_client',
					"The client ID or the client secret isn't correct.",
				);
			checkScope(scope, client.scopes);
			state.counts.tokens.issued++;
			state.changes.touch('tokens');
			void reply.header('cache-control', 'no-store');
			if (state.like?.behavior.rotatesTokens) state.tokens.revoke(client.clientId);
			const token = state.tokens.issue(client.clientId, scope, state.like?.tokenLifetimeS);
			const usual = {
				access_token: token,
				token_type: 'bearer',
				expires_in: TOKEN_LIFETIME_S,
				...(!state.faults.current.token.noRefreshToken && { refresh_token: newSecret() }),
			};
			const played = state.like?.tokenAnswer(token);
			return respond(request, reply, 'token', played ?? { status: 200, body: usual });
		},
	},
	createTransaction: {
		onRequest: transactionGate(state),
		preValidation: contentGate,
		errorHandler: (error, request, reply) => {
			if (error.validation) state.counts.transactions.invalid++;
			const isWrongToken = asServiceError(error).status === 401;
			const name = error.validation ? 'invalid' : isWrongToken ? 'wrongToken' : undefined;
			const played = name && state.like?.answer(name, request.body as Partial<Transaction>);
			if (played) respond(request, reply, 'transactions', played);
			else sendServiceError(error, request, reply);
		},
		handler: (request, reply) => {
			const transaction = request.body as Transaction;
			const scenario = scenarioOf(transaction);
			const record = () => void recordTransaction(state, request, reply, scenario);
			if (!scenario && state.like) {
				playTransaction(state, state.like, request, reply);
			} else if (!scenario) {
				record();
			} else {
				const response = state.scenarioRequests.next(scenario, transaction.eventId);
				afterLatency(state.faults.drawLatency(response?.latencyMs ?? 0), () =>
					applyResponse(response, 'transactions', request, reply, record),
				);
			}
			return reply;
		},
	},
});
