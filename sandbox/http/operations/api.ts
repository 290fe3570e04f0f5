import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendFaultResponse } from '../../faults/faultyResponses';
import { ServiceError } from '../../state/serviceError';
import { TOKEN_LIFETIME_S } from '../../state/tokens';
import { newSecret } from '../../state/ids';
import type { SandboxState } from '../../state/sandboxState';
import { scenarioOf } from '../../state/scenarios';
import type { Scenario, Scope, Transaction } from '../../types';
import { afterLatency, applyResponse, contentGate, tokenGate, transactionGate } from '../gate';
import { sendServiceError, sendTokenError } from '../errorResponses';
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
	status: number,
	body: object,
): FastifyReply {
	if (request.pendingFault) sendFaultResponse(reply, on, request.pendingFault, { status, body });
	else void reply.code(status).send(body);
	return reply;
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

/** Records a transaction, and responds to its request. */
function recordTransaction(
	state: SandboxState,
	request: FastifyRequest,
	reply: FastifyReply,
	scenario?: Scenario,
): void {
	const transaction = request.body as Transaction;
	const { eventId, externalId } = transaction;
	const { revokeTokens, rejectDuplicateExternalIds } = state.faults.current;
	const accept = () =>
		state.transactions.accept(
			transaction,
			request.token!.scope,
			rejectDuplicateExternalIds,
			scenario,
		);
	if (scenario?.sentBefore && !state.transactions.log.get(eventId)) accept();
	const acceptance = accept();
	if (acceptance === 'eventExists') {
		respond(request, reply, 'transactions', 409, {
			errorCode: 'EVENT_ALREADY_EXISTS',
			message: `A transaction with the eventId ${eventId} already exists.`,
		});
		return;
	}
	if (acceptance === 'inProgress') {
		// The words of the IETF draft on the Idempotency-Key header, which gives this case a 409, too.
		respond(request, reply, 'transactions', 409, {
			errorCode: 'REQUEST_IN_PROGRESS',
			message: 'A request is outstanding for this Event ID.',
		});
		return;
	}
	if (acceptance === 'externalIdInUse') {
		respond(request, reply, 'transactions', 409, {
			errorCode: 'EXTERNAL_ID_IN_USE',
			message: `The externalId ${externalId} belongs to a transaction with another eventId.`,
			warnings: [{ position: 'externalId', issue: 'Is already in use' }],
		});
		return;
	}
	const revocationDue =
		typeof revokeTokens === 'object' &&
		state.counts.transactions.created % revokeTokens.every === 0;
	if (revocationDue) state.tokens.revoke();
	respond(request, reply, 'transactions', 202, { eventId, externalId, status: 'ACCEPTED' });
}

/** The service's own two operations (section 4). */
export const serviceOperations = (state: SandboxState): Operations => ({
	createToken: {
		onRequest: tokenGate(state),
		preValidation: contentGate,
		errorHandler: (error, request, reply) => {
			state.counts.tokens.rejected++;
			sendTokenError(error, request, reply);
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
			return respond(request, reply, 'token', 200, {
				access_token: state.tokens.issue(client.clientId, scope),
				token_type: 'bearer',
				expires_in: TOKEN_LIFETIME_S,
				...(!state.faults.current.token.noRefreshToken && { refresh_token: newSecret() }),
			});
		},
	},
	createTransaction: {
		onRequest: transactionGate(state),
		preValidation: contentGate,
		errorHandler: (error, request, reply) => {
			if (error.validation) state.counts.transactions.invalid++;
			sendServiceError(error, request, reply);
		},
		handler: (request, reply) => {
			const transaction = request.body as Transaction;
			const scenario = scenarioOf(transaction);
			const record = () => void recordTransaction(state, request, reply, scenario);
			if (!scenario) {
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
