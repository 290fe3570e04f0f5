import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendFaultResponse } from '../../faults/faultyResponses';
import { ServiceError } from '../../state/serviceError';
import { TOKEN_LIFETIME_S } from '../../state/tokens';
import { newSecret } from '../../state/ids';
import type { SandboxState } from '../../state/sandboxState';
import type { Scope, Transaction } from '../../types';
import { contentGate, tokenGate, transactionGate } from '../gate';
import { sendServiceError, sendTokenError } from '../errorResponses';
import type { Operations } from './types';

interface TokenRequest {
	scope: string;
	client_id: string;
	client_secret: string;
}

/** Sends the right answer, or what the faults made of it. */
function answer(
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

/** Section 5: PAYMENTS or OXYGEN, or PAYMENTS together with payments.*; and only what the client may ask for. */
function checkScope(scope: string, allowed: Scope[]): void {
	const wanted = scope.split(' ').filter(Boolean);
	const known = wanted.includes('PAYMENTS') || wanted.includes('OXYGEN');
	if (known && wanted.every((one) => allowed.includes(one as Scope))) return;
	throw new ServiceError(
		400,
		'invalid_scope',
		`The scope ${JSON.stringify(scope)} is not one that this client may ask for: ${allowed.join(', ')}.`,
	);
}

/** The service's own two paths: section 4. */
export const serviceOperations = (world: SandboxState): Operations => ({
	createToken: {
		onRequest: tokenGate(world),
		preValidation: contentGate,
		errorHandler: (error, request, reply) => {
			world.counts.tokens.rejected++;
			sendTokenError(error, request, reply);
		},
		handler: (request, reply) => {
			const { scope, client_id, client_secret } = request.body as TokenRequest;
			const client = world.clients.authenticate(client_id, client_secret);
			if (!client)
				throw new ServiceError(
					401,
					'invalid_client',
					'The client id or the client secret is wrong.',
				);
			checkScope(scope, client.scopes);
			world.counts.tokens.issued++;
			world.changes.touch('tokens');
			void reply.header('cache-control', 'no-store');
			return answer(request, reply, 'token', 200, {
				access_token: world.tokens.issue(client.clientId, scope),
				token_type: 'bearer',
				expires_in: TOKEN_LIFETIME_S,
				...(!world.faults.current.token.noRefreshToken && { refresh_token: newSecret() }),
			});
		},
	},
	createTransaction: {
		onRequest: transactionGate(world),
		preValidation: contentGate,
		errorHandler: (error, request, reply) => {
			if (error.validation) world.counts.transactions.invalid++;
			sendServiceError(error, request, reply);
		},
		handler: (request, reply) => {
			const transaction = request.body as Transaction;
			const { eventId, externalId } = transaction;
			const { revokeTokens, rejectDuplicateExternalIds } = world.faults.current;
			const acceptance = world.transactions.accept(
				transaction,
				request.token!.scope,
				rejectDuplicateExternalIds,
			);
			if (acceptance === 'eventExists') {
				return answer(request, reply, 'transactions', 409, {
					errorCode: 'EVENT_ALREADY_EXISTS',
					message: `There is a transaction with the eventId ${eventId} already.`,
				});
			}
			if (acceptance === 'externalIdInUse') {
				return answer(request, reply, 'transactions', 409, {
					errorCode: 'EXTERNAL_ID_IN_USE',
					message: `The externalId ${externalId} belongs to a transaction with another eventId.`,
					warnings: [{ position: 'externalId', issue: 'Is already in use' }],
				});
			}
			const revocationDue =
				typeof revokeTokens === 'object' &&
				world.counts.transactions.created % revokeTokens.every === 0;
			if (revocationDue) world.tokens.revoke();
			return answer(request, reply, 'transactions', 202, {
				eventId,
				externalId,
				status: 'ACCEPTED',
			});
		},
	},
});
