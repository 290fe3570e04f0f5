import type { INode } from 'n8n-workflow';

import { apiError, operationError, toHtml } from '../../../../nodes/Payments/output/operationError';
import { fc } from '../../../support/properties';

const NODE = { name: 'Payments', type: 'payments', typeVersion: 1 } as INode;

// n8n takes these for codes of the operating system, wherever they are in a message.
test.each([
	'Maybe recorded: status 500: connect ECONNREFUSED 10.0.0.5:5432',
	'Rejected (status 422): EmployeeExists',
	'Rejected (status 403): rolePermission',
])('n8n puts no other words in the place of "%s"', (message) => {
	const problem = { message, fix: 'Look it up.' };
	for (const error of [operationError(NODE, problem), apiError(NODE, problem, 500)])
		expect(error).toMatchObject({ message, description: 'Look it up.' });
});

test('a description as HTML shows any text as it is', () => {
	const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', '#96': '`', '#37': '%' };
	fc.assert(
		fc.property(fc.string({ unit: fc.constantFrom(...'<>&`%;\nabr lt#37"') }), (text) => {
			const html = toHtml(text).replaceAll('<br>', '\n');
			expect(html).not.toMatch(/[<>`%]/);
			expect(html.replace(/&([^;]+);/g, (_, name: string) => characters[name])).toBe(text);
		}),
	);
});
