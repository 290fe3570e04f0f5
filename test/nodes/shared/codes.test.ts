import currencies from 'currency-codes';
import countries from 'i18n-iso-countries';

import { COUNTRIES, CURRENCIES } from '../../../nodes/shared/codes.generated';
import { countryCodes, currencyCodes, decimalsOf } from '../../../scripts/codes';

test('the countries are those of ISO 3166-1, and XK', () => {
	expect(COUNTRIES).toEqual(Object.keys(countries.getAlpha2Codes()).sort());
	expect(COUNTRIES).toEqual(countryCodes());
	expect(COUNTRIES).toContain('XK');
});

test('the currencies are those of ISO 4217, apart from what is decided one by one', () => {
	expect(Object.keys(CURRENCIES)).toEqual(currencyCodes());
	const iso = currencies.codes();
	expect(iso.filter((code) => !(code in CURRENCIES))).toEqual(['XTS', 'XXX']);
	expect(Object.keys(CURRENCIES).filter((code) => !iso.includes(code))).toEqual(['XCG']);
});

test.each(['HRK', 'ZWL', 'SLL', 'XTS', 'XXX', 'DEM'])('%s is none', (code) =>
	expect(CURRENCIES).not.toHaveProperty(code),
);

test('an amount may have the decimals of ISO 4217, or more if ICU has more', () => {
	// Another version of Node can have another ICU: `npm run codes` takes over what changed.
	for (const [code, decimals] of Object.entries(CURRENCIES))
		expect([code, decimals]).toEqual([code, decimalsOf(code)]);
	const tooFew = Object.keys(CURRENCIES).filter(
		(code) => CURRENCIES[code] < (currencies.code(code)?.digits ?? 0),
	);
	expect(tooFew).toEqual([]);
	expect(CURRENCIES).toMatchObject({ EUR: 2, JPY: 0, KWD: 3, CLF: 4, HUF: 2 });
});
