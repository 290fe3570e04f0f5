import type {
	FastifyReply,
	FastifyRequest,
	onRequestHookHandler,
	preValidationHookHandler,
} from 'fastify';
import { chooseResponse } from '../faults/chooseResponse';
import { sendFaultResponse } from '../faults/faultyResponses';
import { tally } from '../state/counts';
import type { SandboxState } from '../state/sandboxState';
import { ServiceError } from '../state/serviceError';
import type { IssuedToken } from '../state/tokens';
import type { Counts, FaultResponse } from '../types';

declare module 'fastify' {
	interface FastifyRequest {
		/** The fault that replaces the correct response once this request is processed. */
		pendingFault: FaultResponse | null;
		/** The token that authenticates this request. */
		token: IssuedToken | null;
		/** Whether the transaction of this request is recorded, by it or by an earlier one. */
		isRecorded: boolean;
	}
}

/** A request to one of the service's own two paths, and its reply. */
export interface Call {
	on: 'transactions' | 'token';
	request: FastifyRequest;
	reply: FastifyReply;
}

/**
 * Applies the fault of a request, if it gets one: now when the fault comes before processing,
 * otherwise it stays with the request as `pendingFault`. Calls `proceed` when the request is to be
 * processed.
 */
function applyFaults({ faults }: SandboxState, call: Call, proceed: () => void): void {
	const response = chooseResponse(faults, call.on);
	const ofPath = call.on === 'transactions' ? faults.drawLatency(faults.current.latencyMs) : 0;
	const latencyMs = ofPath + faults.drawLatency(response?.latencyMs ?? 0);
	afterLatency(latencyMs, () => applyResponse(response, call, proceed));
}

/** Calls `proceed` after a latency; without one at once, because a benchmark measures at 0 ms. */
export function afterLatency(latencyMs: number, proceed: () => void): void {
	if (latencyMs > 0) setTimeout(proceed, latencyMs);
	else proceed();
}

/** Sends a response instead of the correct one, now or when the request is processed. */
export function applyResponse(
	response: FaultResponse | undefined,
	call: Call,
	proceed: () => void,
): void {
	const { fault, status, body, processed } = response ?? {};
	const isDelay = fault === undefined && status === undefined && body === undefined;
	if (!response || isDelay) return proceed();
	if (!processed) return sendFaultResponse(call, response);
	call.request.pendingFault = response;
	proceed();
}

/** Counts a transaction request, and its response or that the connection closed without one. */
function countRequest(state: SandboxState, reply: FastifyReply): void {
	const counts = state.counts.transactions;
	counts.requests++;
	counts.inFlight++;
	const { raw } = reply;
	raw.once('close', () => {
		// A reset in between has replaced the counts, but not ended the request.
		state.counts.transactions.inFlight--;
		const { statusCode, writableFinished } = raw;
		if (!writableFinished) {
			counts.lost++;
			return;
		}
		tally(counts.responses, statusCode);
	});
}

/**
 * Checks the bearer token that every call needs (docs/interface.md, 5).
 *
 * @param counts those of when the request came: a reset since then has ended its token
 * @returns the error that rejects the request, or undefined
 */
function checkToken(
	state: SandboxState,
	request: FastifyRequest,
	counts: Counts,
): ServiceError | undefined {
	const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
	request.token = token === undefined ? null : (state.tokens.check(token) ?? null);
	if (request.token) return undefined;
	counts.transactions.unauthorized++;
	const reason =
		token === undefined
			? 'The request has no bearer token'
			: 'The bearer token is unknown, revoked, or expired';
	return new ServiceError(401, 'UNAUTHORIZED', `${reason}. Get one at /passport/oauth/token.`);
}

/** Counts a transaction request, applies its fault, and checks its token. */
export const transactionGate =
	(state: SandboxState): onRequestHookHandler =>
	(request, reply, done) => {
		countRequest(state, reply);
		const { counts } = state;
		const proceed = () => done(checkToken(state, request, counts));
		applyFaults(state, { on: 'transactions', request, reply }, proceed);
	};

/** Counts an access token request and applies its fault. */
export const tokenGate =
	(state: SandboxState): onRequestHookHandler =>
	(request, reply, done) => {
		state.counts.tokens.requests++;
		applyFaults(state, { on: 'token', request, reply }, done);
	};

/** Rejects a content type that the contract doesn't name. Fastify wouldn't validate the body. */
export const contentGate: preValidationHookHandler = (request, _reply, done) => {
	const { content } = (request.routeOptions.schema?.body ?? {}) as {
		content?: Record<string, unknown>;
	};
	const { mediaType } = request;
	if (!content || (mediaType !== undefined && mediaType in content)) return done();
	const message = `The content type of the body must be ${Object.keys(content).join(' or ')}.`;
	done(new ServiceError(415, 'UNSUPPORTED_MEDIA_TYPE', message));
};
