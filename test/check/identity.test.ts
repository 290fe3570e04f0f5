import { randomUUID } from 'node:crypto';

import { verdictOf, type VerdictName } from '../../check/verdict';
import { checkService, type Reply } from '../support/servers/checkedService';

/* Whether a success to a repeat is about the first transaction, by what the service calls it. */

let count = 1000;
const next = () => ++count;
const now = () => new Date().toISOString();

test.each<[string, VerdictName, (id: string, isRepeat: boolean) => Reply]>([
	['its own name', 'fits', (id) => [202, { bookingNumber: `B-${id}` }]],
	['a name of its own, in parts', 'fits', (id) => [200, { data: { ref: { handle: id } } }]],
	['in a list', 'fits', (id) => [200, { items: [{ mark: `h_${id}`, state: 'NEW' }] }]],
	['only in Location', 'fits', (id) => [201, undefined, { location: `/transactions/${id}` }]],
	['beside an ID of the request', 'fits', (id) => [202, { no: id, requestId: randomUUID() }]],
	['another one under a known name', 'doesntFit', () => [202, { id: randomUUID() }]],
	[
		'another one in Location',
		'doesntFit',
		() => [201, undefined, { location: `/transactions/${next()}` }],
	],
	['another one under its own name', 'notKnown', () => [202, { bookingNumber: `B-${next()}` }]],
	['another one, and a digest', 'notKnown', (id) => [202, { no: `B-${next()}`, digest: id }]],
	['another one, and what stays', 'notKnown', (id) => [202, { no: `B-${next()}`, batch: id }]],
	['only a time', 'notKnown', () => [202, { at: now(), second: now().slice(0, 19) }]],
	['only a state', 'notKnown', (_, isRepeat) => [202, { state: isRepeat ? 'NEW-01' : 'NEW-02' }]],
])('%s: %s', async (_, verdict, replies) => {
	const check = await checkService(({ id, first }, answer) =>
		answer(...replies(id, first !== undefined)),
	);
	expect(verdictOf(check.findings)).toBe(verdict);
});

test('what was sent is no ID, wherever it comes back', async () => {
	const check = await checkService(({ transaction: { eventId, externalId } }, answer) =>
		answer(202, { receipt: `R-${eventId}`, own: externalId }, { location: `/by/${externalId}` }),
	);
	expect(verdictOf(check.findings)).toBe('notKnown');
});
