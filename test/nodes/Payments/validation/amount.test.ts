import { compareDecimals } from '../../../../nodes/Payments/decimals';
import { parseAmount, type AmountRules } from '../../../../nodes/Payments/validation/amount';
import { sampleInput, validateItem } from '../../../support/builders/transactions';
import { expectResult } from '../../../support/expectResult';
import { fc, propertyRuns, leastOf } from '../../../support/properties';

const COMMA = { decimalSeparator: 'comma' } as const;
const withComma = (value: unknown) => parseAmount(value, COMMA);
const DOT = { decimalSeparator: 'dot' } as const;
const EUR = { currency: 'EUR' };
const JPY = { currency: 'JPY' };
const BHD = { currency: 'BHD' };

test.each<[unknown, AmountRules, string | RegExp]>([
	['1.50', {}, '1.50'],
	['001.50', {}, '1.50'],
	[{}, {}, /^An object/],
	['-5', {}, /"-5".*no sign/],
	['EUR 12.50', {}, /no currency/],
	[0, {}, /^0 is zero.*above zero/],
	[' 0.0 ', {}, /" 0\.0 " is zero/],
	['00', { allowZero: true }, '0'],
	['0.00', { allowZero: true }, '0.00'],
	['1'.repeat(50), {}, '1'.repeat(50)],
	['1'.repeat(51), {}, /51 characters.*50/],
	// A number has 15 digits that are exact.
	[123456789012345, {}, '123456789012345'],
	[1234567890.12345, {}, '1234567890.12345'],
	[123456789012345.6, {}, /digits.*Round .*as text/],
	[1234567890123456, {}, /^1234567890123456 .*digits.*as text/],
	['1234567890123456', {}, '1234567890123456'],
	[1e21, {}, /^1e\+21 /],
	// The decimals of the currency.
	['1.23', EUR, '1.23'],
	['1.23456', { currency: 'no code' }, '1.23456'],
	['01.234', EUR, /"01\.234" has 3 .*EUR.*2/],
	['1.5', JPY, /"1\.5" has 1 decimal, .*JPY has none.*currency/],
	['1.2501', EUR, /has 4 decimals.*\. Correct/],
	// Zeros beyond them, as databases write them.
	['1250.0000', EUR, '1250.00'],
	['25.0100', EUR, '25.01'],
	['1250.000', EUR, '1250.00'],
	['0.250', EUR, '0.25'],
	['01.250', EUR, '1.25'],
	['1250.5', EUR, '1250.50'],
	['1250', EUR, '1250.00'],
	['705', { currency: 'JPY' }, '705'],
	['1.5', { currency: 'KWD' }, '1.500'],
	[10, EUR, '10.00'],
	['1.5', { currency: 'XYZ' }, '1.5'],
	['1250.5000', EUR, '1250.50'],
	['0.0050', EUR, /"0\.0050" has 3 .*EUR/],
	['0.0000', EUR, /is zero/],
	['705.00', JPY, '705'],
	['100.0', JPY, '100'],
	['5000.00', { currency: 'CLP' }, '5000'],
	['12.5000', BHD, '12.500'],
	['1250.0000', {}, '1250.0000'],
	// What can be a group of thousands, unless the currency has three decimals, or somebody said it.
	['1.250', EUR, /^"1\.250" can be 1250 or 1\.250\..*'Decimal Separator'.*1250 or 1\.2500\.$/],
	['1.250', {}, /can be 1250 or 1\.250/],
	['1.234', EUR, /can be 1234 or 1\.234\..*, or write 1234\.$/],
	['999.000', JPY, /can be 999000 or 999\.000/],
	['1.250', { currency: 'CLF' }, /can be 1250/],
	['1,250', EUR, /^"1,250" can be 1250 or 1\.250\./],
	['1.250', BHD, '1.250'],
	['1.250', { ...EUR, ...DOT }, '1.25'],
	['999.000', { ...JPY, ...DOT }, '999'],
	['1.250', DOT, '1.250'],
	['1,250', { ...EUR, ...DOT }, /"1,250" isn't a plain.*'Comma'/],
	['1.2500', EUR, '1.25'],
	[1.25, EUR, '1.25'],
	[1.125, {}, '1.125'],
	[1.125, EUR, /has 3 decimals.*Round it/],
	[349.965, EUR, /^349\.965 has 3 .*EUR has at most 2\. Round it.*round\(2\)/],
	[349.965, { ...EUR, ...COMMA }, /Round it/],
	[0.1 + 0.2, EUR, /^0\.30000000000000004 has 17 decimals.*Round it/],
	[12.5, JPY, /^12\.5 has 1 decimal, but JPY has none.*round\(0\)/],
	// The option Decimal Separator is named only where it helps.
	['1250,00', {}, /"1250,00".*'Decimal Separator' to 'Comma'/],
	['1.250,00', {}, /'Decimal Separator' to 'Comma'/],
	['1,250.00', {}, /"1,250\.00"(?!.*Separator)/],
	['1,2,3', {}, /"1,2,3"(?!.*Separator)/],
	// With a decimal comma.
	['1250,00', COMMA, '1250.00'],
	[' 007,50 ', COMMA, '7.50'],
	['1.250.000', COMMA, '1250000'],
	['1 250,00', COMMA, '1250.00'],
	['1’250’000', COMMA, '1250000'],
	['1,250', COMMA, '1.250'],
	['1,250', { ...EUR, ...COMMA }, '1.25'],
	['1,255', { ...EUR, ...COMMA }, /has 3 decimals.*\. Correct/],
	['1.250', COMMA, '1250'],
	['1.250,0000', { ...EUR, ...COMMA }, '1250.00'],
	['0,00', COMMA, /"0,00" is zero/],
	['1'.repeat(51), COMMA, /51 characters.*50/],
])('%p with %j', (value, rules, expected) => expectResult(parseAmount(value, rules), expected));

test.each([
	['dots for decimals', ['1250.00', '1,250.00', '1,250,000']],
	['a zero before thousands', ['0.250', '0.250,00']],
	['groups that are not of three', ['1.25,00', '1.2500,00', '1250.000,00', '1..250,00']],
	['two separators of thousands', ['1.250 000,00']],
	['a comma too many', ['1.250,00,00', ',50', '50,']],
	['signs and letters', ['-1,50', '1,50 €', '1e3', '１２,50']],
])('no numbers with a decimal comma: %s, %j', (_, values) => {
	for (const value of values) {
		const { problem } = withComma(value);
		expect(problem?.message).toContain(`"${value}"`);
		expect(problem?.fix).toContain("'Decimal Separator'");
	}
});

test('the decimal comma counts for the base amount too, and not for other fields', () => {
	const { transaction } = validateItem(
		sampleInput({ amount: '1.250,00', baseAmount: '1 400,50', reference: '1.250,00' }),
		{ timeZone: 'UTC', ...COMMA },
	);
	const expected = { amount: '1250.00', baseAmount: '1400.50', reference: '1.250,00' };
	expect(transaction).toMatchObject(expected);
});

describe('properties', () => {
	const numRuns = propertyRuns(20_000);
	const SEPARATORS = ['.', ' ', '\u00a0', '\u202f', '\u2009', "'", '’', ''];
	const whole = fc.bigInt({ min: 1n, max: 10n ** 24n }).map(String);
	const decimals = fc.option(fc.stringMatching(/^\d{1,6}$/), { nil: undefined });
	const group = (digits: string, separator: string) =>
		digits.replace(/\B(?=(\d{3})+$)/g, separator);

	test('with a decimal comma, a formatted amount reads back as itself', () => {
		fc.assert(
			fc.property(whole, decimals, fc.constantFrom(...SEPARATORS), (digits, rest, separator) => {
				const grouped = group(digits, separator);
				const { value } = withComma(rest === undefined ? grouped : `${grouped},${rest}`);
				expect(value).toBe(rest === undefined ? digits : `${digits}.${rest}`);
			}),
			{ numRuns },
		);
	});

	test('what is read without the option is read alike with one of its values', () => {
		let read = 0;
		const text = fc.oneof(
			fc.stringMatching(/^[\d.,]{1,9}$/),
			fc.stringMatching(/^\d{1,3}([., ]\d{3}){0,2}([.,]\d{1,3})?$/),
		);
		fc.assert(
			fc.property(text, fc.constantFrom('EUR', 'JPY', undefined), (value, currency) => {
				const unset = parseAmount(value, { currency }).value;
				if (unset === undefined) return;
				read++;
				expect(parseAmount(value, { currency, ...DOT }).value).toBe(unset);
				// Otherwise, one of them would be a thousand times the other.
				const comma = parseAmount(value, { currency, ...COMMA }).value;
				expect([undefined, unset]).toContain(comma);
			}),
			{ numRuns },
		);
		expect(read).toBeGreaterThanOrEqual(leastOf(1 / 40, numRuns));
	});

	const CURRENCIES = { EUR: 2, USD: 2, JPY: 0, CLP: 0, BHD: 3, CLF: 4 };
	const nightly = { numRuns: propertyRuns(10_000, 500) };
	/** An amount that its currency has, in its smallest unit. Often a whole one. */
	const amount = fc
		.record({
			currency: fc.constantFrom(...(Object.keys(CURRENCIES) as Array<keyof typeof CURRENCIES>)),
			units: fc.oneof(
				// Up to 999 with decimals, three of which can be thousands.
				fc.bigInt({ min: 1n, max: 99_999n }),
				fc.bigInt({ min: 1n, max: 10n ** 7n }),
				fc.bigInt({ min: 1n, max: 10n ** 18n }),
			),
			isWhole: fc.boolean(),
		})
		.map(({ currency, units, isWhole }) => ({
			currency,
			units: isWhole ? units * 10n ** BigInt(CURRENCIES[currency]) : units,
		}));
	const textOf = (units: bigint, decimals: number) => {
		const digits = units.toString().padStart(decimals + 1, '0');
		return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
	};

	test('an amount that its currency has, as a column of a database writes it, is sent, or the fix says how', () => {
		const seen = { sent: 0, refused: 0 };
		// numeric(p, s) of PostgreSQL, decimal(p, s) of MySQL, also with ZEROFILL, money of SQL Server
		// with four decimals, and what JSON makes of them: a number.
		const scale = fc.nat({ max: 6 });
		const form = fc.constantFrom('text', 'zerofill', 'number', 'padded');
		fc.assert(
			fc.property(amount, scale, form, ({ currency, units }, extra, form) => {
				const decimals = CURRENCIES[currency];
				const exact = textOf(units, decimals);
				// A number with more digits has lost some before anybody can see it.
				fc.pre(form !== 'number' || exact.length <= 16);
				const zeros = '0'.repeat(extra);
				const column = exact.includes('.') || extra === 0 ? exact + zeros : `${exact}.${zeros}`;
				const given = {
					text: column,
					zerofill: column.padStart(24, '0'),
					number: Number(column),
					padded: ` ${column} `,
				}[form];
				const { value, problem } = parseAmount(given, { currency });
				if (value !== undefined) {
					seen.sent++;
					expect(compareDecimals(value, exact)).toBe(0);
					// No more decimals than the currency has.
					expect(value.split('.')[1]?.length ?? 0).toBeLessThanOrEqual(decimals);
					return;
				}
				seen.refused++;
				if (form === 'number') {
					expect(problem?.fix).toMatch(/as text|Round/);
					expect(parseAmount(column, { currency, ...DOT }).value).toBeDefined();
				} else {
					// With what the fix says, it's exact.
					expect(problem?.fix).toContain("'Decimal Separator'");
					const asDot = parseAmount(given, { currency, ...DOT }).value!;
					expect(compareDecimals(asDot, exact)).toBe(0);
					const written = / or ([\d.]+)\.$/.exec(problem!.fix)![1];
					expect(compareDecimals(parseAmount(written, { currency }).value!, exact)).toBe(0);
				}
			}),
			nightly,
		);
		expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
	});

	test('what a spreadsheet of any locale writes for another amount is never sent', () => {
		const LOCALES = [
			...['en-US', 'en-IN', 'en-ZA', 'de-DE', 'de-AT', 'de-CH', 'fr-FR', 'fr-CH', 'es-ES', 'es-MX'],
			...['pt-PT', 'pt-BR', 'it-IT', 'it-CH', 'nl-NL', 'sv-SE', 'nb-NO', 'da-DK', 'fi-FI', 'pl-PL'],
			...['cs-CZ', 'hu-HU', 'tr-TR', 'ru-RU', 'uk-UA', 'el-GR', 'ja-JP', 'ko-KR', 'zh-CN', 'hi-IN'],
			...['ar-EG', 'ar-AE', 'fa-IR', 'he-IL', 'th-TH', 'vi-VN', 'id-ID', 'bn-BD', 'sl-SI', 'lt-LT'],
		];
		const format = fc.record({
			minimumFractionDigits: fc.constantFrom(0, 0, 0, 1, 2, 3, 4),
			useGrouping: fc.constantFrom(true, true, false),
			style: fc.constantFrom(
				'decimal' as const,
				'decimal' as const,
				'currency' as const,
				'percent' as const,
			),
		});
		/** Making one takes longer than using it. */
		const formatters = new Map<string, Intl.NumberFormat>();
		const formatterOf = (locale: string, options: Intl.NumberFormatOptions) => {
			const key = JSON.stringify([locale, options]);
			const known = formatters.get(key) ?? new Intl.NumberFormat(locale, options);
			formatters.set(key, known);
			return known;
		};
		const ruleOf = (locale: string) => {
			const mark = formatterOf(locale, {}).format(1.5).at(1);
			return mark === ',' ? COMMA : mark === '.' ? DOT : {};
		};
		const seen = { sent: 0, refused: 0 };
		fc.assert(
			fc.property(
				amount,
				format,
				fc.constantFrom(...LOCALES),
				({ currency, units }, options, other) => {
					const decimals = CURRENCIES[currency];
					const number = Number(textOf(units % 10n ** 12n, decimals));
					// Each way to group digits in each run, and any other.
					for (const locale of ['de-DE', 'en-US', 'fr-FR', 'de-CH', 'en-IN', other]) {
						const more = { currency: 'EUR', maximumFractionDigits: 4 };
						const text = formatterOf(locale, { ...options, ...more }).format(number);
						// With three decimals, three digits behind a dot are decimals (docs/payments-node.md).
						const isRule = decimals === 3 && /^\d{1,3}\.\d{3}$/.test(text);
						for (const rules of isRule ? [ruleOf(locale)] : [{}, ruleOf(locale)]) {
							const { value } = parseAmount(text, { currency, ...rules });
							seen[value === undefined ? 'refused' : 'sent']++;
							if (value !== undefined && Number(value) !== number)
								throw new Error(`${text} of ${locale} is sent as ${value}`);
						}
					}
				},
			),
			nightly,
		);
		expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
	});
});
