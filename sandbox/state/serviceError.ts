import { STATUS_CODES } from 'node:http';

/** The error code of a status that has none of its own, such as TOO_MANY_REQUESTS. */
export const errorCodeOf = (status: number) =>
	(STATUS_CODES[status] ?? 'Unknown status').toUpperCase().replace(/[^A-Z]+/g, '_');

/** An error that the service responds with (docs/interface.md, 10.4). */
export class ServiceError extends Error {
	constructor(
		readonly status: number,
		readonly errorCode: string,
		message: string,
		readonly warnings?: Array<{ position: string; issue: string }>,
	) {
		super(message);
	}
}

/** The 404 of a record that doesn't exist. */
export const notFound = (what: string, id: string) =>
	new ServiceError(404, 'NOT_FOUND', `There is no ${what} with the ID ${id}.`);
