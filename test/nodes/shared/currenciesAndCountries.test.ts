import { COUNTRIES, CURRENCIES } from '../../../nodes/shared/codes.generated';

test('the countries are those of ISO 3166-1, and XK', () => {
	expect(COUNTRIES).toHaveLength(250);
	expect(COUNTRIES).toEqual(expect.arrayContaining(['DE', 'DK', 'XK']));
});

test.each(['HRK', 'ZWL', 'SLL', 'XTS', 'XXX', 'DEM'])('%s is no currency', (code) =>
	expect(CURRENCIES).not.toHaveProperty(code),
);

test('an amount may have the decimals of ISO 4217, or more if ICU has more', () => {
	expect(CURRENCIES).toMatchObject({ EUR: 2, JPY: 0, KWD: 3, CLF: 4, HUF: 2, XCG: 2 });
});
