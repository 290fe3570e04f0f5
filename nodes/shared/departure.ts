/**
 * A member of a request's headers by which the node learns that the request left, and with which
 * access token. A symbol isn't sent, and a copy of the headers still has it.
 */
export const DEPARTURE = Symbol('departure');

export interface Departure {
	/** The access token, set right before the request leaves. */
	token?: string;
}

/** False once a request has left without it: n8n then hands on headers as nobody knows here. */
let areTraced = true;

/** Takes down that a request leaves. */
export function noteDeparture(headers: object | undefined, token: string): void {
	const departure = (headers as { [DEPARTURE]?: Departure } | undefined)?.[DEPARTURE];
	if (departure) departure.token = token;
	else areTraced = false;
}

/** Whether a request isn't known to have stayed here. */
export const mayHaveLeft = ({ token }: Departure): boolean => token !== undefined || !areTraced;
