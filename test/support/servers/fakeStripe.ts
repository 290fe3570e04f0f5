import type { IDataObject } from 'n8n-workflow';
import { readRequest, startHttpServer, type HttpServer } from './httpServer';

/** An event of Stripe, as its webhooks and its list of events have it. */
export interface StripeEvent extends IDataObject {
	id: string;
	type: string;
	data: { object: IDataObject };
}

export interface FakeStripe extends HttpServer {
	/** By ID; others aren't found. */
	charges: Map<string, IDataObject>;
	/** As the list of events has them, newest first. */
	events: StripeEvent[];
	/** The query of each request for events. */
	queries: URLSearchParams[];
}

/** So that lists have several pages, whatever the limit in the request. */
const PAGE = 2;

/** What the template reads of Stripe's API: a charge, and the list of events, page by page. */
export async function startFakeStripe(apiKey: string): Promise<FakeStripe> {
	const charges: FakeStripe['charges'] = new Map();
	const events: StripeEvent[] = [];
	const queries: URLSearchParams[] = [];
	const answer = (url: URL) => {
		const charge = /^\/v1\/charges\/(.+)$/.exec(url.pathname)?.[1];
		if (charge) return charges.get(charge);
		if (url.pathname !== '/v1/events') return undefined;
		queries.push(url.searchParams);
		const after = url.searchParams.get('starting_after');
		const first = after === null ? 0 : events.findIndex(({ id }) => id === after) + 1;
		const end = first + PAGE;
		return { object: 'list', data: events.slice(first, end), has_more: end < events.length };
	};
	const server = await startHttpServer(async (incoming, response) => {
		const { url, headers } = await readRequest(incoming);
		const isKnown = headers.authorization === `Bearer ${apiKey}`;
		const body = isKnown ? answer(new URL(url, 'http://stripe')) : undefined;
		response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' });
		response.end(JSON.stringify(body ?? { error: { code: 'resource_missing' } }));
	});
	return { ...server, charges, events, queries };
}
