import type { ServerResponse } from 'node:http';

import { rows } from '../../../support/builders/transactions';
import { accept, count, reject, useServices } from '../../../support/engine/services';

/* A list of which one request fails while the service is well: only its own row may suffer. */

const { serve, run } = useServices();

const ROWS = 500;

test.each<[string, number, (response: ServerResponse) => void]>([
	['500', 499, (response) => reject(response, 500)],
	['502', 499, (response) => reject(response, 502)],
	['a lost response', 499, ({ socket }) => void socket!.destroy()],
	['503 with Retry-After', 500, (response) => reject(response, 503, { 'retry-after': '1' })],
])('request 100 of 500 ends with %s: %i are created', async (_, created, fail) => {
	await serve((_request, response, nth) => (nth === 100 ? fail(response) : accept(response)));
	const { json } = await run(rows(ROWS), {});
	expect(count(json, 'created')).toBe(created);
	expect(count(json, 'unknown')).toBe(ROWS - created);
});
