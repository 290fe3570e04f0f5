import { toHtml } from '../../nodes/Payments/transaction/messages';
import { fc } from '../support/properties';

describe('a description as HTML', () => {
	test.each([
		['two\nlines', 'two<br>lines'],
		['"<b>" & more', '"&lt;b&gt;" &amp; more'],
		['`code`', '&#96;code&#96;'],
		['%%PARAMETER%%', '&#37;&#37;PARAMETER&#37;&#37;'],
		['&lt;', '&amp;lt;'],
		["'Amount': 1.5", "'Amount': 1.5"],
	])('%j is %j', (text, html) => {
		expect(toHtml(text)).toBe(html);
	});

	const CHARACTERS: Record<string, string> = { amp: '&', lt: '<', gt: '>', '#96': '`', '#37': '%' };

	test('shows any text as it is', () => {
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom(...'<>&`%;\nabr lt#37"') }), (text) => {
				const html = toHtml(text);
				const withoutBreaks = html.replaceAll('<br>', '\n');
				expect(withoutBreaks).not.toMatch(/[<>`%]/);
				expect(withoutBreaks.replace(/&([^;]+);/g, (_, name: string) => CHARACTERS[name])).toBe(
					text,
				);
			}),
		);
	});
});
