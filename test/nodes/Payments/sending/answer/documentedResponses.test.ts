import documented from '../../../../fixtures/documentedResponses.json';
import { conclusionOf } from '../../../../support/builders/answers';
import { SAMPLE } from '../../../../support/builders/transactions';

/*
 * Responses from the documentation of public APIs, each with its source. `words` are the service's
 * own, and `stated` is what the credential states so that it's a duplicate. `{eventId}` stands for
 * the idempotency key. The nodes know none of these services.
 */

interface Documented {
	api: string;
	status: number;
	headers?: Record<string, string>;
	body: unknown;
}

function read({ status, headers = {}, body }: Documented, stated = '') {
	const quoted = JSON.stringify(body).replaceAll('{eventId}', SAMPLE.eventId);
	return conclusionOf(status, JSON.parse(quoted), { headers, stated });
}

interface Refusal extends Documented {
	words: string[];
	stated?: string;
}
const refusals: Refusal[] = documented.refusals;
const named = refusals.map((row) => [row.api, row.words.join(' … '), row] as const);

test.each(named)('%s says %s, and no advice contradicts it', (_api, _words, row) => {
	const result = read(row);
	expect(['rejected', 'unknown', 'notSent']).toContain(result.outcome);
	for (const words of row.words)
		expect(result.message).toContain(words.replaceAll('{eventId}', SAMPLE.eventId));
	expect(result).toMatchObject({ fix: expect.not.stringMatching(/Base URL|Scope|doesn't say/) });
});

test.each(named.filter(([, , { stated }]) => stated !== undefined))(
	'%s: %s is a duplicate once the credential states it',
	(_api, _words, row) => {
		expect(read(row, `ANOTHER_CODE, ${row.stated}`).outcome).toBe('duplicate');
		expect(read(row, row.stated!.slice(0, -1)).outcome).not.toBe('duplicate');
	},
);

const successes: Array<Documented & { outcome: string }> = documented.successes;
test.each(successes.map((row) => [row.api, JSON.stringify(row.body), row] as const))(
	'%s: %s',
	(_api, _body, row) => expect(read(row).outcome).toBe(row.outcome),
);
