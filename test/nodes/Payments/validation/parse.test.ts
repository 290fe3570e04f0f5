import {
	parseCountry,
	parseCurrency,
	parseText,
} from '../../../../nodes/Payments/validation/parse';
import { isEmpty, quote } from '../../../../nodes/shared/values';
import { expectResult } from '../../../support/expectResult';

test.each([
	[undefined, true],
	[null, true],
	[' \n', true],
	['\u200b\u0085', true],
	['0', false],
	[0, false],
	[false, false],
	[[], false],
])('%p is empty: %p', (value, expected) => expect(isEmpty(value)).toBe(expected));

test.each([
	['a', '"a"'],
	['x'.repeat(60), `"${'x'.repeat(60)}"`],
	['x'.repeat(61), `"${'x'.repeat(60)}…"`],
	[`${'x'.repeat(59)}😀`, `"${'x'.repeat(59)}…"`],
	['\ufeffa\u00a0b c\n', '"[U+FEFF]a[U+00A0]b c[U+000A]"'],
	['Gift \ud83d', '"Gift [U+D83D]"'],
	[true, 'true'],
	[null, 'null'],
	[10n, '10'],
	[['secret'], 'A list'],
	[{ secret: 1 }, 'An object'],
	[Symbol('secret'), 'A symbol'],
	[() => 'secret', 'A function'],
])('%p is quoted as %s', (value, expected) => expect(quote(value)).toBe(expected));

test.each([
	[' a b ', 'a b'],
	[4711, '4711'],
	[2 ** 53 - 1, '9007199254740991'],
	[2 ** 53, /^9007199254740992 .*text/],
	[1.5, /^1\.5 .*text/],
	[true, /^true .*text/],
	['x'.repeat(1000), 'x'.repeat(1000)],
	['x'.repeat(1001), /1001 characters.*1000.*Shorten/],
	// What isn't valid as an ID is valid as a reference.
	['a  b\u00a0c\nd\u200b', 'a  b\u00a0c\nd\u200b'],
	['#N/A {{ x }} \ufffd', '#N/A {{ x }} \ufffd'],
	['Gift 😀', 'Gift 😀'],
	['Gift 😀'.slice(0, 6), /"Gift \[U\+D83D\]" has half of a character.*Cut the text/],
	['\ude00 Gift', /half of a character/],
])('text: %p', (value, expected) => expectResult(parseText(value), expected));

test.each([
	[' eur ', 'EUR'],
	['EURO', /"EURO".*Use EUR/],
	[978, /^978 .*three letters/],
	['us dollar', /"us dollar".*Use USD/],
	['Doubloon', /three letters\.$/],
])('currency %p', (value, expected) => expectResult(parseCurrency(value), expected));

test.each([
	[' de ', 'DE'],
	['EU', /"EU".*two letters/],
	[['DE'], /^A list .*two letters/],
	['uk', /"uk".*Use GB/],
	['EL', /"EL".*Use GR/],
	// They are gone, and no other country is the same.
	['SU', /"SU" isn't a country.*two letters\.$/],
	['AN', /two letters\.$/],
	['YU', /two letters\.$/],
	['DD', /two letters\.$/],
	[' united kingdom', /Use GB/],
	['Atlantis', /two letters\.$/],
	['D'.repeat(200_000), /two letters\.$/],
])('country %p', (value, expected) => expectResult(parseCountry(value), expected));
