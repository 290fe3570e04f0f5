import type { FastifyRequest } from 'fastify';
import { sendFaultResponse } from '../../faults/faultyResponses';
import { ServiceError } from '../../state/serviceError';
import { TOKEN_LIFETIME_S } from '../../state/tokens';
import { newSecret } from '../../state/ids';
import type { SandboxState } from '../../state/sandboxState';
import type { Acceptance } from '../../state/transactions';
import { scenarioOf } from '../../state/scenarios';
import type { Scenario, Scope, Transaction } from '../../types';
import {
	afterLatency,
	applyResponse,
	contentGate,
	tokenGate,
	transactionGate,
	type Call,
} from '../gate';
import { sendTokenError } from '../errorResponses';
import type { Operations } from './types';

interface TokenRequest {
	scope: string;
	client_id: string;
	client_secret: string;
}

interface Answer {
	status: number;
	headers?: Record<string, string>;
	body?: unknown;
}

/** Sends the correct response, or what a pending fault makes of it. */
function respond(call: Call, answer: Answer): void {
	const { request, reply } = call;
	const { status, headers = {}, body } = answer;
	if (request.pendingFault) sendFaultResponse(call, request.pendingFault, answer);
	else void reply.code(status).headers(headers).send(body);
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

const refusal = (status: number, errorCode: string, message: string) => ({
	status,
	body: { errorCode, message },
});

const ANSWERS: Record<Acceptance, (transaction: Transaction) => Answer> = {
	created: ({ eventId, externalId }) => ({
		status: 202,
		body: { eventId, externalId, status: 'ACCEPTED' },
	}),
	eventExists: ({ eventId }) =>
		refusal(
			409,
			'EVENT_ALREADY_EXISTS',
			`A transaction with the eventId ${eventId} already exists.`,
		),
	// The words of the IETF draft on the Idempotency-Key header, which gives this case a 409, too.
	inProgress: () =>
		refusal(409, 'REQUEST_IN_PROGRESS', 'A request is outstanding for this Event ID.'),
};

/** What a service says of a key that it had with other content (IETF draft, section 2.7). */
const KEY_REUSED = refusal(
	409,
	'IDEMPOTENCY_KEY_REUSED',
	'This Idempotency-Key was used with other content.',
);

/** The Idempotency-Key of a request, if the sandbox reads it. */
function keyOf(state: SandboxState, { headers }: FastifyRequest): string | undefined {
	const key = headers['idempotency-key'];
	return state.faults.current.idempotencyKeys && typeof key === 'string' ? key : undefined;
}

/** Records a transaction, and responds to its request. */
function recordTransaction(state: SandboxState, call: Call, scenario?: Scenario): void {
	const { request } = call;
	const transaction = request.body as Transaction;
	const { revokeTokens } = state.faults.current;
	const key = keyOf(state, request);
	const use = key === undefined ? 'new' : state.idempotencyKeys.find(key, request.rawBody);
	if (use === 'otherContent') return respond(call, KEY_REUSED);
	request.isRecorded = true;
	const accept = () => state.transactions.accept(transaction, scenario);
	if (scenario?.sentBefore && !state.transactions.log.get(transaction.eventId)) accept();
	const acceptance = accept();
	if (acceptance === 'eventExists' && use === 'sameContent') {
		const headers = { 'idempotent-replayed': 'true' };
		return respond(call, { ...ANSWERS.created(transaction), headers });
	}
	respond(call, ANSWERS[acceptance](transaction));
	if (acceptance !== 'created') return;
	if (key !== undefined) state.idempotencyKeys.add(key, request.rawBody);
	const revocationDue =
		typeof revokeTokens === 'object' &&
		state.counts.transactions.created % revokeTokens.every === 0;
	if (revocationDue) state.tokens.revoke();
}

/** The service's own two operations (section 4). */
export const serviceOperations = (state: SandboxState): Operations => ({
	createToken: {
		onRequest: tokenGate(state),
		preValidation: contentGate,
		errorHandler: sendTokenError,
		handler: (request, reply) => {
			const { scope, client_id, client_secret } = request.body as TokenRequest;
			const client = state.clients.authenticate(client_id, client_secret);
			const wrong = "The client ID or the client secret isn't correct.";
			if (!client) throw new ServiceError(401, 'invalid_client', wrong);
			checkScope(scope, client.scopes);
			state.counts.tokens.issued++;
			client.signedInAt = state.clock.now();
			void reply.header('cache-control', 'no-store');
			const body = {
				access_token: state.tokens.issue(client.clientId),
				token_type: 'bearer',
				expires_in: TOKEN_LIFETIME_S,
				refresh_token: newSecret(),
			};
			respond({ on: 'token', request, reply }, { status: 200, body });
			return reply;
		},
	},
	createTransaction: {
		onRequest: transactionGate(state),
		preValidation: contentGate,
		handler: (request, reply) => {
			const call = { on: 'transactions', request, reply } as const;
			const transaction = request.body as Transaction;
			const scenario = scenarioOf(transaction);
			const response = scenario && state.scenarioRequests.next(scenario, transaction.eventId);
			const record = () => recordTransaction(state, call, scenario);
			afterLatency(state.faults.drawLatency(response?.latencyMs ?? 0), () =>
				applyResponse(response, call, record),
			);
			return reply;
		},
	},
});
