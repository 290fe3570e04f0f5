import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../state/serviceError';
import type { SandboxState } from '../state/sandboxState';
import { sendServiceError } from './errorResponses';

export const TRANSACTIONS_PATH = '/api/v1/transactions';

/** The path of a request without its query. */
const pathOf = (request: FastifyRequest) => request.url.split('?')[0];

/** The 404 of a path that the service doesn't have. */
export const unknownPath = (request: FastifyRequest) =>
	new ServiceError(404, 'NOT_FOUND', `There is no ${request.method} ${pathOf(request)} here.`);

/** Whether a path is one of a route such as `/sandbox/clients/:id`. */
function matches(route: string, path: string): boolean {
	const parts = path.split('/');
	const wanted = route.split('/');
	return (
		wanted.length === parts.length &&
		wanted.every((part, index) =>
			part.startsWith(':') ? parts[index] !== '' : part === parts[index],
		)
	);
}

/**
 * Answers what no operation of the contract takes, in the service's error form: 405 with the
 * allowed methods where the path exists, 404 anywhere else. Call it before the routes are
 * registered.
 */
export function answerUnknownPaths(app: FastifyInstance, state: SandboxState): void {
	/** By path, whose parameters are written as `:id`. */
	const methodsByPath = new Map<string, string[]>();
	const methodsOf = (path: string): string[] | undefined =>
		[...methodsByPath].find(([known]) => matches(known, path))?.[1];
	app.addHook('onRoute', ({ url, method }) => {
		if (url.includes('*')) return;
		methodsByPath.set(url, [...(methodsByPath.get(url) ?? []), ...[method].flat()]);
	});
	app.setNotFoundHandler((request, reply) => {
		const path = pathOf(request);
		const hidden = path === TRANSACTIONS_PATH && state.faults.current.transactionsNotFound;
		const allowed = hidden ? undefined : methodsOf(path);
		if (!allowed) return sendServiceError(unknownPath(request), request, reply);
		void reply.header('allow', allowed.join(', '));
		const message = `${path} takes ${allowed.join(', ')}, not ${request.method}.`;
		sendServiceError(new ServiceError(405, 'METHOD_NOT_ALLOWED', message), request, reply);
	});
}
