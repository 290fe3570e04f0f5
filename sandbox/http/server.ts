import formbody from '@fastify/formbody';
import fastify, { type FastifyInstance } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import type { AddressInfo } from 'node:net';
import { document } from '../contract';
import type { SandboxState } from '../state/sandboxState';
import { ServiceError } from '../state/serviceError';
import { contentGate } from './gate';
import { guard } from './guard';
import { serviceOperations } from './operations/api';
import { controlOperations } from './operations/control';
import { clientOperations, endpointOperations } from './operations/dashboard';
import { paymentOperations, trafficOperations } from './operations/records';
import { page } from './page';
import { sendServiceError } from './errorResponses';
import { recordRequests } from './requests';
import { validatorCompiler } from './validation';

/**
 * Builds the server, which doesn't listen yet. Its routes come from the contract.
 *
 * @param host the address that the server is going to listen on
 * @throws when an operation of the contract isn't implemented
 */
export async function buildServer(state: SandboxState, host: string): Promise<FastifyInstance> {
	const app = fastify({
		logger: false,
		forceCloseConnections: true,
		exposeHeadRoutes: false,
		frameworkErrors: sendServiceError,
	});
	const refuseConnections = (ms: number) => {
		const { port, address } = app.server.address() as AddressInfo;
		// Stop listening before the response to this request is sent, so that the caller's next
		// connection is refused.
		app.server.close(() => setTimeout(() => app.server.listen(port, address), ms));
		setImmediate(() => app.server.closeAllConnections());
	};
	const onRequest = guard(host);
	const operations = {
		...serviceOperations(state),
		...clientOperations(state),
		...endpointOperations(state),
		...paymentOperations(state),
		...trafficOperations(state),
		...controlOperations(state, refuseConnections),
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
	recordRequests(app, state);
	app.setNotFoundHandler(({ method, url }) => {
		throw new ServiceError(404, 'NOT_FOUND', `There is no ${method} ${url.split('?')[0]} here.`);
	});
	await app.register(formbody);
	await app.register(page, { onRequest });
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
