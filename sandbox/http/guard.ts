import type { onRequestHookHandler } from 'fastify';
import { isIP } from 'node:net';
import { ServiceError } from '../state/serviceError';

/** Where the sandbox listens, and by which names it may be called besides its addresses. */
export interface Access {
	host: string;
	/** Names of `--allow-host`. */
	allowHosts?: string[];
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/;

/** The name or address of a Host header, without port and brackets. */
const nameOf = (host: string) =>
	host
		.replace(/:\d+$/, '')
		.replace(/^\[(.*)\]$/, '$1')
		.toLowerCase();

/** Whether an address or name is of this machine only. */
export const isLoopback = (host: string) => LOOPBACK.test(host);

/**
 * Rejects requests of foreign web pages. A page of another origin that is open in a browser could
 * otherwise control the sandbox. A page whose own name resolves to the sandbox's address (DNS
 * rebinding) is recognized by its Host header: it is a name that the sandbox doesn't know. An IP
 * address can't be rebound.
 */
export const guard = ({ host: listensOn, allowHosts = [] }: Access): onRequestHookHandler => {
	const names = new Set([...allowHosts, listensOn].map((name) => name.toLowerCase()));
	const onlyLoopback = isLoopback(listensOn);
	const isAllowed = (name: string) =>
		isLoopback(name) || names.has(name) || (!onlyLoopback && isIP(name) > 0);
	return (request, _reply, done) => {
		const { origin, host = '' } = request.headers;
		if (!isAllowed(nameOf(host))) {
			return done(
				new ServiceError(
					403,
					'FOREIGN_HOST',
					`Call the sandbox by ${onlyLoopback ? 'localhost or 127.0.0.1' : 'its IP address'}. To use another name, start it with --allow-host.`,
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
};
