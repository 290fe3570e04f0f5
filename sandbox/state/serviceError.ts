import { STATUS_CODES } from 'node:http';

/** The code of a status that has none of its own, such as TOO_MANY_REQUESTS. */
export const errorCodeOf = (status: number) =>
	(STATUS_CODES[status] ?? 'Unknown status').toUpperCase().replace(/[^A-Z]+/g, '_');

/** A request that is refused, with what the caller reads (public practice, Answers of the API). */
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

export const notFound = (what: string, id: string) =>
	new ServiceError(404, 'NOT_FOUND', `There is no ${what} with the id ${id}.`);
