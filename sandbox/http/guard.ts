import type { onRequestHookHandler } from 'fastify';
import { ServiceError } from '../state/serviceError';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/;

/**
 * Keeps foreign web pages out: a page of another origin, open in a browser of this machine, could otherwise send orders here
 * unseen. A page that makes its own name point to 127.0.0.1 is told by the Host header, as long as only loopback is listened on.
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
					'The sandbox is called by the name localhost or 127.0.0.1; --host lets it answer to others.',
				),
			);
		}
		if (origin !== undefined && origin !== `http://${host}`) {
			return done(
				new ServiceError(
					403,
					'FOREIGN_ORIGIN',
					'Only the page of the sandbox itself may do this, not a page of another origin.',
				),
			);
		}
		done();
	};

export const isLoopback = (host: string) => LOOPBACK.test(host) || host === '::1';
