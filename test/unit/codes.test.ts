import currencies from 'currency-codes';
import countries from 'i18n-iso-countries';

import {
	COUNTRIES,
	CURRENCIES_BY_DECIMALS,
} from '../../nodes/Payments/transaction/codes.generated';
import { generatedCodes } from '../../scripts/codes';

// ICU belongs to the Node.js that runs this, so the text itself is not compared; every rule that it was made by is.
const shipped = new Map(
	Object.entries(CURRENCIES_BY_DECIMALS).flatMap(([decimals, codes]) =>
		codes.split(' ').map((code) => [code, Number(decimals)] as const),
	),
);

test('every currency of ISO 4217 ships, with at least the decimals that it has', () => {
	expect(
		currencies
			.codes()
			.filter((code) => !((shipped.get(code) ?? -1) >= (currencies.code(code)?.digits ?? 0))),
	).toEqual([]);
});

test('the countries are those of ISO 3166-1', () => {
	expect(COUNTRIES.split(' ')).toEqual(Object.keys(countries.getAlpha2Codes()).sort());
});

test('what ships was made by the generator', () => {
	expect(generatedCodes().split('\n').slice(0, 6)).toEqual([
		expect.stringContaining('Made by scripts/codes.ts'),
		'',
		expect.any(String),
		`export const COUNTRIES = '${COUNTRIES}';`,
		'',
		expect.any(String),
	]);
});
