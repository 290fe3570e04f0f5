import formbody from '@fastify/formbody';
import fastify, { type FastifyInstance } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import type { AddressInfo } from 'node:net';
import { document } from '../contract';
import type { SandboxState } from '../state/sandboxState';
import { contentGate } from './gate';
import { guard, type Access } from './guard';
import { clientOperations, deliveryOperations, endpointOperations } from './operations/dashboard';
import { faultOperations } from './operations/faults';
import { serviceOperations } from './operations/api';
import { simulationOperations } from './operations/simulation';
import { stateOperations } from './operations/state';
import { page } from './page';
import { keepOpenForRestOfBody, sendServiceError } from './errorResponses';
import { recordRequests } from './requests';
import { answerUnknownPaths } from './unknownPaths';
import { validatorCompiler } from './validation';

/**
 * Builds the server, which doesn't listen yet. Its routes come from the contract.
 *
 * @param access where the server is going to listen, and the names that it may be called by
 * @throws when an operation of the contract isn't implemented
 */
export async function buildServer(state: SandboxState, access: Access): Promise<FastifyInstance> {
	const app = fastify({
		logger: false,
		forceCloseConnections: true,
		exposeHeadRoutes: false,
		frameworkErrors: sendServiceError,
		// The first start compiles the page, however long that takes.
		pluginTimeout: 0,
	});
	const refuseConnections = (ms: number) => {
		const { port, address } = app.server.address() as AddressInfo;
		// Stop listening before the response to this request is sent, so that the caller's next
		// connection is refused.
		app.server.close(() => setTimeout(() => app.server.listen(port, address), ms));
		setImmediate(() => app.server.closeAllConnections());
	};
	const onRequest = guard(access);
	const operations = {
		...serviceOperations(state),
		...clientOperations(state),
		...endpointOperations(state),
		...deliveryOperations(state),
		...simulationOperations(state),
		...faultOperations(state, refuseConnections),
		...stateOperations(state),
	};
	app.decorateRequest('pendingFault', null);
	app.decorateRequest('token', null);
	app.decorateRequest('isRecorded', false);
	app.removeContentTypeParser('text/plain');
	app.setValidatorCompiler(validatorCompiler);
	// Every response is built from typed values. A serializer that follows the schemas would only
	// cost time.
	app.setSerializerCompiler(() => JSON.stringify);
	app.setErrorHandler(sendServiceError);
	app.addHook('onError', keepOpenForRestOfBody);
	recordRequests(app, state);
	answerUnknownPaths(app, state);
	await app.register(formbody);
	await app.register(page, { state, onRequest });
	await app.register(openapiGlue, {
		specification: document,
		operationResolver: (operationId: string) => {
			const operation = operations[operationId];
			if (!operation)
				throw new Error(`The operation ${operationId} of the contract is not implemented.`);
			const options = typeof operation === 'function' ? { handler: operation } : operation;
			return { onRequest, preValidation: contentGate, ...options } as never;
		},
	});
	return app;
}
