import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../state/serviceError';
import { sendServiceError } from './errorResponses';

/** Matches the paths of a route such as `/sandbox/clients/:id`. */
const patternOf = (route: string) => new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`);

/**
 * Answers what no operation of the contract takes, in the service's error form: 405 with the
 * allowed methods where the path exists, 404 anywhere else. Call it before the routes are
 * registered.
 */
export function answerUnknownPaths(app: FastifyInstance): void {
	const routes: Array<{ pattern: RegExp; method: string | string[] }> = [];
	app.addHook(
		'onRoute',
		({ url, method }) => void routes.push({ pattern: patternOf(url), method }),
	);
	app.setNotFoundHandler((request, reply) => {
		const { method } = request;
		const [path] = request.url.split('?');
		const allowed = routes.filter(({ pattern }) => pattern.test(path)).flatMap((one) => one.method);
		if (allowed.length === 0) {
			const message = `There is no ${method} ${path} here.`;
			return sendServiceError(new ServiceError(404, 'NOT_FOUND', message), request, reply);
		}
		void reply.header('allow', allowed.join(', '));
		const message = `${path} takes ${allowed.join(', ')}, not ${method}.`;
		sendServiceError(new ServiceError(405, 'METHOD_NOT_ALLOWED', message), request, reply);
	});
}
