import type { onRequestHookHandler } from 'fastify';
import { isIP } from 'node:net';
import { ServiceError } from '../state/serviceError';

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
 *
 * @param listensOn the address or name that the sandbox listens on
 */
export const guard = (listensOn: string): onRequestHookHandler => {
	const onlyLoopback = isLoopback(listensOn);
	const isAllowed = (name: string) =>
		isLoopback(name) || name === listensOn.toLowerCase() || (!onlyLoopback && isIP(name) > 0);
	const refused = (errorCode: string, message: string) => new ServiceError(403, errorCode, message);
	const own = onlyLoopback ? 'localhost or 127.0.0.1' : 'its IP address';
	return ({ headers: { origin, host = '' } }, _reply, done) => {
		if (!isAllowed(nameOf(host)))
			return done(refused('FOREIGN_HOST', `Call the sandbox by ${own}.`));
		if (origin === undefined || origin === `http://${host}`) return done();
		const message = "Only the sandbox's own page can do this, not a page of another origin.";
		done(refused('FOREIGN_ORIGIN', message));
	};
};
