import type { onRequestHookHandler } from 'fastify';
import { ServiceError } from '../state/serviceError';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/;

/**
 * Rejects requests of foreign web pages. A page of another origin that is open in a browser on this machine could otherwise
 * control the sandbox. A page whose own name resolves to 127.0.0.1 (DNS rebinding) is recognized by its Host header.
 *
 * @param onlyLoopback whether the sandbox listens on this machine only, so that the Host header must be a loopback name
 */
export const guard =
	(onlyLoopback: boolean): onRequestHookHandler =>
	(request, _reply, done) => {
		const { origin, host = '' } = request.headers;
		if (onlyLoopback && !LOOPBACK.test(host)) {
			return done(
				new ServiceError(
					403,
					'FOREIGN_HOST',
					'Call the sandbox as localhost or 127.0.0.1. To use another name, start it with --host.',
				),
			);
		}
		if (origin !== undefined && origin !== `http://${host}`) {
			return done(
				new ServiceError(
					403,
					'FOREIGN_ORIGIN',
					"Only the sandbox's own page can do this, not a page of another origin.",
				),
			);
		}
		done();
	};

/** Whether an address or name is of this machine only. */
export const isLoopback = (host: string) => LOOPBACK.test(host) || host === '::1';
