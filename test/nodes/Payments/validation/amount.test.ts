import { parseAmount, type AmountRules } from '../../../../nodes/Payments/validation/amount';
import { sampleInput, validateItem } from '../../../support/builders/transactions';
import { expectResult } from '../../../support/expectResult';
import { fc, propertyRuns, leastOf } from '../../../support/properties';

const COMMA = { decimalSeparator: 'comma' } as const;
const withComma = (value: unknown) => parseAmount(value, COMMA);
const EUR = { currency: 'EUR' };
const JPY = { currency: 'JPY' };

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
	['1.234', {}, '1.234'],
	['1.23456', { currency: 'no code' }, '1.23456'],
	['01.234', EUR, /"01\.234" has 3 .*EUR.*2/],
	['1.5', JPY, /"1\.5" has 1 decimal, .*JPY has none.*currency/],
	['1.250', EUR, /^"1\.250" has 3 .*thousands, write 1250, or .*'Comma'/],
	['1.2501', EUR, /has 4 decimals.*\. Correct/],
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
	['1,250', { ...EUR, ...COMMA }, /has 3 decimals.*\. Correct/],
	['1.250', COMMA, /"1\.250" can be 1250 or 1,250.*1\.250,00/],
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

	test('a formatted amount reads back as itself, or is rejected for its two readings', () => {
		let read = 0;
		fc.assert(
			fc.property(whole, decimals, fc.constantFrom(...SEPARATORS), (digits, rest, separator) => {
				const grouped = group(digits, separator);
				const result = withComma(rest === undefined ? grouped : `${grouped},${rest}`);
				const isAmbiguous =
					rest === undefined && separator === '.' && /^[1-9]\d*\.\d{3}$/.test(grouped);
				if (isAmbiguous) return result.problem !== undefined;
				read++;
				return result.value === (rest === undefined ? digits : `${digits}.${rest}`);
			}),
			{ numRuns },
		);
		expect(read).toBeGreaterThanOrEqual(leastOf(0.6, numRuns));
	});

	test('no text is read as another number by both settings', () => {
		let both = 0;
		const text = fc.oneof(
			fc.stringMatching(/^[\d.,]{1,9}$/),
			fc.stringMatching(/^\d{1,3}([., ]\d{3}){0,2}([.,]\d{1,3})?$/),
		);
		fc.assert(
			fc.property(text, (value) => {
				const dot = parseAmount(value).value;
				const comma = withComma(value).value;
				if (dot === undefined || comma === undefined) return true;
				both++;
				return dot === comma;
			}),
			{ numRuns },
		);
		expect(both).toBeGreaterThanOrEqual(leastOf(1 / 40, numRuns));
	});
});
