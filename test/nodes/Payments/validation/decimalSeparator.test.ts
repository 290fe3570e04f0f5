import { parseAmount } from '../../../../nodes/Payments/validation/amount';
import { sampleInput, validateItem } from '../../../support/builders/transactions';
import { fc, propertyRuns, leastOf } from '../../../support/properties';

const withComma = (value: unknown) => parseAmount(value, { decimalSeparator: 'comma' });
const withDot = (value: unknown) => parseAmount(value, { decimalSeparator: 'dot' });

describe('with a decimal comma', () => {
	test.each([
		['1250,00', '1250.00'],
		['0,5', '0.5'],
		['007,50', '7.50'],
		[' 12,50 ', '12.50'],
		['1.250,00', '1250.00'],
		['1.250.000', '1250000'],
		['1 250,00', '1250.00'],
		['1’250’000', '1250000'],
		['1,250', '1.250'],
	])('%j is %s', (value, expected) => {
		expect(withComma(value)).toEqual({ value: expected });
	});

	test.each([
		['1.250', '"1.250" can be 1250 or 1,250'],
		['12.345', '"12.345" can be 12345 or 12,345'],
	])('%j has two readings', (value, message) => {
		const { problem } = withComma(value);
		expect(problem?.message).toBe(message);
		expect(problem?.fix).toContain(`${value},00`);
	});

	test.each([
		'0.250',
		'1,250.00',
		'1250.00',
		'1.25,00',
		'1.2500,00',
		'1250.000,00',
		'.250,00',
		'0.250,00',
		'1..250,00',
		'1.250.00',
		'1.250 000,00',
		'1 250.000,00',
		'1  250,00',
		'1,250,000',
		'1.250,00,00',
		'1.250,000.000',
		',50',
		'50,',
		'-1,50',
		'1,50 €',
		'1e3',
		'1_000,00',
		'１２,50',
	])('%j is rejected', (value) => {
		const { problem } = withComma(value);
		expect(problem?.message).toContain(`"${value}"`);
		expect(problem?.fix).toContain("'Decimal Separator'");
	});

	test('a number that is not exact, an empty value, and zero are rejected as with a dot', () => {
		for (const value of [0.1 + 0.2, 1e21, NaN, '', null, true, {}])
			expect(withComma(value)).toEqual(withDot(value));
		expect(withComma('0,00').problem?.message).toMatch(/"0,00" is zero/);
	});

	test('it counts for the base amount too, and not for other fields', () => {
		const { transaction } = validateItem(
			sampleInput({ amount: '1.250,00', baseAmount: '1 400,50', reference: '1.250,00' }),
			{ timeZone: 'UTC', decimalSeparator: 'comma' },
		);
		expect(transaction).toMatchObject({
			amount: '1250.00',
			baseAmount: '1400.50',
			reference: '1.250,00',
		});
	});
});

describe('with a decimal dot', () => {
	test.each(['1250,00', '1.250,00', '1 250,00'])('%j names the option', (value) => {
		const { problem } = withDot(value);
		expect(problem?.message).toContain(`"${value}"`);
		expect(problem?.fix).toContain("'Decimal Separator' to 'Comma'");
	});

	test.each(['1,250.00', '1,2,3', 'x', '1 250', '-1,50'])('%j does not', (value) => {
		expect(withDot(value).problem?.message).toContain(`"${value}"`);
		expect(withDot(value).problem?.fix).not.toContain('Decimal Separator');
	});
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
				const dot = withDot(value).value;
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
