import type {
	FastifyReply,
	FastifyRequest,
	onRequestHookHandler,
	preValidationHookHandler,
} from 'fastify';
import { sendFaultResponse } from '../faults/faultyResponses';
import { chooseResponse, isAfterProcessing } from '../faults/chooseResponse';
import { tally } from '../state/counts';
import { ServiceError } from '../state/serviceError';
import type { SandboxState } from '../state/sandboxState';
import type { FaultResponse, IssuedToken } from '../types';
import { unknownPath } from './unknownPaths';

declare module 'fastify' {
	interface FastifyRequest {
		/** What this request gets instead of the right answer, once it was carried out. */
		pendingFault: FaultResponse | null;
		/** Who asks. */
		token: IssuedToken | null;
	}
}

/** Lets the faults happen that come before a request is carried out, and remembers those that come after it. */
function meetFaults(
	world: SandboxState,
	on: 'transactions' | 'token',
	request: FastifyRequest,
	reply: FastifyReply,
	goOn: () => void,
): void {
	const answer = chooseResponse(world.faults, on);
	const general =
		on === 'transactions' ? world.faults.drawLatency(world.faults.current.latencyMs) : 0;
	const waitMs = general + world.faults.drawLatency(answer?.latencyMs ?? 0);
	const proceed = () => {
		const spoils =
			answer &&
			(answer.fault !== undefined || answer.status !== undefined || answer.body !== undefined);
		if (!spoils) return goOn();
		if (!isAfterProcessing(answer)) return sendFaultResponse(reply, on, answer);
		request.pendingFault = answer;
		goOn();
	};
	// No timer for no latency: a benchmark measures at 0 ms.
	if (waitMs > 0) setTimeout(proceed, waitMs);
	else proceed();
}

/** Counts a transaction request until its answer is out, or until it is clear that none will be. */
function countRequest(world: SandboxState, reply: FastifyReply): void {
	const counts = world.counts.transactions;
	counts.requests++;
	counts.inFlight++;
	counts.maxInFlight = Math.max(counts.maxInFlight, counts.inFlight);
	const { raw } = reply;
	raw.once('close', () => {
		// Asked for anew: a reset in between made new counts.
		const { transactions } = world.counts;
		transactions.inFlight--;
		if (raw.writableFinished) tally(transactions.responses, raw.statusCode);
		else transactions.lost++;
	});
}

/** Section 5: every call carries a bearer token. With `strictScope` an OXYGEN token is told apart, which the document leaves open. */
function checkToken(world: SandboxState, request: FastifyRequest): ServiceError | undefined {
	const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
	request.token = token === undefined ? null : (world.tokens.check(token) ?? null);
	if (!request.token) {
		world.counts.transactions.unauthorized++;
		const what =
			token === undefined
				? 'The request carries no bearer token'
				: 'The bearer token is unknown, revoked or expired';
		return new ServiceError(401, 'UNAUTHORIZED', `${what}; get one at /passport/oauth/token.`);
	}
	if (world.faults.current.strictScope && request.token.kind === 'OXYGEN') {
		return new ServiceError(
			403,
			'FORBIDDEN',
			'A token of the scope OXYGEN may not create transactions; ask for the scope PAYMENTS.',
		);
	}
	return undefined;
}

export const transactionGate =
	(world: SandboxState): onRequestHookHandler =>
	(request, reply, done) => {
		countRequest(world, reply);
		if (world.faults.current.transactionsNotFound) return done(unknownPath(request));
		meetFaults(world, 'transactions', request, reply, () => done(checkToken(world, request)));
	};

export const tokenGate =
	(world: SandboxState): onRequestHookHandler =>
	(request, reply, done) => {
		world.counts.tokens.requests++;
		meetFaults(world, 'token', request, reply, done);
	};

/** Fastify does not validate a body of a content type that the contract does not name; such a body is refused here. */
export const contentGate: preValidationHookHandler = (request, _reply, done) => {
	const { content } = (request.routeOptions.schema?.body ?? {}) as {
		content?: Record<string, unknown>;
	};
	if (!content) return done();
	if (request.mediaType !== undefined && request.mediaType in content) return done();
	const wanted = Object.keys(content).join(' or ');
	done(
		new ServiceError(
			415,
			'UNSUPPORTED_MEDIA_TYPE',
			`The body has to be of the content type ${wanted}.`,
		),
	);
};
