import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import currencies from 'currency-codes';
import countries from 'i18n-iso-countries';

const TARGET = join(__dirname, '../nodes/shared/codes.generated.ts');

/** Newer than the data set: ISO 4217 amendment 176, which replaces ANG from March 31, 2025. */
const ADDED_CURRENCIES = ['XCG'];
/**
 * Codes of ISO 4217 in which nobody can be paid: the one for tests, and the one for "no currency".
 */
const EXCLUDED_CURRENCIES = ['XTS', 'XXX'];

/**
 * The currencies that ship: the list of ISO 4217, without those that it has withdrawn, such as HRK
 * and ZWL.
 */
export const currencyCodes = (): string[] =>
	[...currencies.codes(), ...ADDED_CURRENCIES]
		.filter((code) => !EXCLUDED_CURRENCIES.includes(code))
		.sort();

/**
 * Returns the decimals that an amount in this currency may have: those of ISO 4217, or those of ICU
 * if it has more, because they follow different uses. Where neither states any (gold), 2.
 */
export function decimalsOf(code: string): number {
	const format = new Intl.NumberFormat('en', { style: 'currency', currency: code });
	const ofIcu = format.resolvedOptions().maximumFractionDigits ?? 2;
	return Math.max(currencies.code(code)?.digits ?? 0, ofIcu);
}

/**
 * The countries that ship: ISO 3166-1 alpha-2, and XK (Kosovo), which it leaves to users and
 * payments use.
 */
export const countryCodes = (): string[] => Object.keys(countries.getAlpha2Codes()).sort();

/** The source text of the codes that ship. */
export function generatedCodes(): string {
	const list = countryCodes().map((code) => `'${code}'`);
	const entries = currencyCodes().map((code) => `\t${code}: ${decimalsOf(code)},`);
	return [
		'// Made by scripts/codes.ts; a test compares it with the data sets. Do not edit.',
		'',
		'/** ISO 3166-1 alpha-2, and XK as payments use it. */',
		`export const COUNTRIES = [${list.join(', ')}];`,
		'',
		'/** ISO 4217 codes, with the number of decimals that an amount may have. */',
		'export const CURRENCIES: Readonly<Record<string, number>> = {',
		...entries,
		'};',
		'',
	].join('\n');
}

if (require.main === module) {
	writeFileSync(TARGET, generatedCodes());
	execFileSync('npx', ['prettier', '--write', TARGET]);
}
