import { request } from 'node:http';

import { SECRET } from '../../support/signed';
import { BODY, cases, type Case } from '../../support/engine/triggerCases';
import { startReceiver, type Receiver } from '../../support/engine/triggerServer';

/** By node:http, because fetch would tidy up the headers. */
const deliver = async (
	url: string,
	{ body = BODY, headers, query = '' }: Pick<Case, 'body' | 'headers' | 'query'>,
) =>
	await new Promise<{ status: number; text: string }>((resolve, reject) => {
		const sent = request(
			`${url}/${query}`,
			{ method: 'POST', headers, agent: false },
			(response) => {
				const chunks: Buffer[] = [];
				response
					.on('data', (chunk: Buffer) => chunks.push(chunk))
					.on('end', () =>
						resolve({ status: response.statusCode!, text: Buffer.concat(chunks).toString() }),
					);
			},
		).on('error', reject);
		sent.end(body);
	});

describe('named deliveries', () => {
	let receiver: Receiver;
	beforeAll(async () => {
		receiver = await startReceiver({ parameters: { options: { deduplicate: 0 } } });
	});
	afterAll(async () => await receiver.stop());

	test('there are at least 60 of those that must not get in', () => {
		expect(cases.filter(({ runs }) => !runs).length).toBeGreaterThanOrEqual(60);
		expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
	});

	test.each(cases.map((one) => [one.name, one] as const))('%s', async (_, one) => {
		receiver.runs.length = receiver.logged.length = 0;
		const { status, text } = await deliver(receiver.url, one);
		expect([status, receiver.runs.length, receiver.thrown]).toEqual([one.status, one.runs, []]);
		// The reason is logged once, and neither the log nor the sender learns the secret or, in the
		// log, the body.
		expect(receiver.logged).toHaveLength(status >= 400 ? 1 : 0);
		expect([text, ...receiver.logged].join()).not.toContain(SECRET);
		expect(receiver.logged.join()).not.toContain('evt_1');
	});
});
