import formbody from '@fastify/formbody';
import fastify, { type FastifyInstance } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import type { AddressInfo } from 'node:net';
import { CONTRACT } from '../contract';
import type { SandboxState } from '../state/sandboxState';
import { contentGate } from './gate';
import { guard, isLoopback } from './guard';
import { clientOperations, deliveryOperations, endpointOperations } from './operations/dashboard';
import { faultOperations } from './operations/faults';
import { serviceOperations } from './operations/api';
import { simulationOperations } from './operations/simulation';
import { stateOperations } from './operations/state';
import { page } from './page';
import { sendServiceError } from './errorResponses';
import { answerUnknownPaths } from './unknownPaths';
import { validatorCompiler } from './validation';

/**
 * The sandbox as a server, not listening yet. Every route comes from the contract; a route without an operation is a fault of ours.
 * `host`: where it is going to listen.
 */
export async function buildServer(world: SandboxState, host: string): Promise<FastifyInstance> {
	const app = fastify({
		logger: false,
		forceCloseConnections: true,
		exposeHeadRoutes: false,
		frameworkErrors: sendServiceError,
	});
	const pause = (ms: number) => {
		const { port, address } = app.server.address() as AddressInfo;
		// At once, so that whoever has the answer is refused; the connections end after that answer is out.
		app.server.close(() => setTimeout(() => app.server.listen(port, address), ms));
		setImmediate(() => app.server.closeAllConnections());
	};
	const onRequest = guard(isLoopback(host));
	const operations = {
		...serviceOperations(world),
		...clientOperations(world),
		...endpointOperations(world),
		...deliveryOperations(world),
		...simulationOperations(world),
		...faultOperations(world, pause),
		...stateOperations(world),
	};
	app.decorateRequest('pendingFault', null);
	app.decorateRequest('token', null);
	app.removeContentTypeParser('text/plain');
	app.setValidatorCompiler(validatorCompiler);
	// Every answer is made here, from typed values: a second schema pass would only cost time.
	app.setSerializerCompiler(() => JSON.stringify);
	app.setErrorHandler(sendServiceError);
	answerUnknownPaths(app, world);
	await app.register(formbody);
	await app.register(page, { onRequest });
	await app.register(openapiGlue, {
		specification: CONTRACT,
		operationResolver: (operationId: string) => {
			const operation = operations[operationId];
			if (!operation)
				throw new Error(`${operationId} stands in the contract and is not implemented.`);
			const options = typeof operation === 'function' ? { handler: operation } : operation;
			return { onRequest, preValidation: contentGate, ...options } as never;
		},
	});
	return app;
}
