import currencies from 'currency-codes';
import countries from 'i18n-iso-countries';

import { COUNTRIES, CURRENCIES_BY_DECIMALS } from '../../nodes/shared/codes.generated';
import { generatedCodes } from '../../scripts/codes';
import { read } from './sourceTexts';

// ICU belongs to the Node.js that runs this, so the text itself is not compared; every rule that it was made by is.
const shipped = new Map(
	Object.entries(CURRENCIES_BY_DECIMALS).flatMap(([decimals, codes]) =>
		codes.map((code) => [code, Number(decimals)] as const),
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
	expect(COUNTRIES).toEqual(Object.keys(countries.getAlpha2Codes()).sort());
});

test('what ships was made by the generator', () => {
	// Up to the currencies, which depend on the ICU of the Node.js that runs this.
	const upToCurrencies = (text: string) => text.split('export const CURRENCIES_BY_DECIMALS')[0];
	expect(upToCurrencies(generatedCodes())).toBe(
		upToCurrencies(read('nodes/shared/codes.generated.ts')),
	);
	expect(shipped.size).toBeGreaterThan(170);
	for (const [code] of shipped) expect(code).toMatch(/^[A-Z]{3}$/);
});
