import { parseEvents, parseJson } from '../../../nodes/PaymentsTrigger/parseEvents';
import suite from '../../fixtures/jsonTestSuite.json';

/*
 * JSONTestSuite (https://github.com/nst/JSONTestSuite) through the trigger's parser: 318 files, of
 * which y_ are valid JSON, n_ are not, and i_ are left to the implementation (RFC 8259). The two
 * files of 100 kB and more are made here.
 */

const files = Object.entries(suite.files).map(
	([name, base64]) => [name, Buffer.from(base64, 'base64')] as const,
);
const LARGE = [
	['n_structure_100000_opening_arrays.json', Buffer.from('['.repeat(100_000))],
	['n_structure_open_array_object.json', Buffer.from(`${'[{"":'.repeat(50_000)}\n`)],
] as const;
const all = [...files, ...LARGE];

/** Why a body has no events. None of the valid files is an event. */
function reasonOf(body: Buffer) {
	const json = parseJson(body);
	if (json.problem) return 'notJson';
	return parseEvents(json.value).problem && 'noEventType';
}

test('all of its files are here', () => expect(all).toHaveLength(318));

test.each(all.filter(([name]) => name.startsWith('n_')))('%s is not JSON', (_, body) => {
	expect(reasonOf(body)).toBe('notJson');
});

test.each(all.filter(([name]) => name.startsWith('y_')))(
	'%s is JSON, without an event',
	(_, body) => {
		expect(reasonOf(body)).toBe('noEventType');
	},
);

test.each(all.filter(([name]) => name.startsWith('y_')))(
	'%s is read inside an event',
	(_, body) => {
		const inEvent = Buffer.concat([Buffer.from('{"event":"E","data":'), body, Buffer.from('}')]);
		const [event] = parseEvents(parseJson(inEvent).value).value!;
		expect(event.eventType).toBe('E');
		expect(event.json).toEqual({ event: 'E', data: JSON.parse(body.toString()) as unknown });
	},
);

test.each(all.filter(([name]) => name.startsWith('i_')))(
	'%s is read or not, without a throw',
	(_, body) => {
		expect(['notJson', 'noEventType']).toContain(reasonOf(body));
	},
);
