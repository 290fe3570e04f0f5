import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import currencies from 'currency-codes';
import countries from 'i18n-iso-countries';

const TARGET = join(__dirname, '../nodes/Payments/transaction/codes.generated.ts');

/**
 * The source text of the country and currency codes that ship, from maintained data sets.
 *
 * Currencies: the list of ISO 4217 (`currency-codes`) with what ICU knows besides, being newer. Decimals: the larger of the two, because
 * ICU's follow everyday use (HUF, IDR and PKR without decimals) and would reject amounts that ISO 4217 allows. Where neither states any (gold, test
 * codes), 2.
 */
export function generatedCodes(): string {
	const icu = Intl.supportedValuesOf('currency');
	const byDecimals = new Map<number, string[]>();
	for (const code of [...new Set([...currencies.codes(), ...icu])].sort()) {
		const ofIcu =
			new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions()
				.maximumFractionDigits ?? 2;
		const decimals = Math.max(currencies.code(code)?.digits ?? 0, ofIcu);
		byDecimals.set(decimals, [...(byDecimals.get(decimals) ?? []), code]);
	}
	const lists = [...byDecimals]
		.sort(([a], [b]) => a - b)
		.map(([decimals, codes]) => `\t${decimals}: '${codes.join(' ')}',`);
	return [
		'// Made by scripts/codes.ts; a test compares it with the data sets. Do not edit.',
		'',
		'/** ISO 3166-1 alpha-2, and XK as payments use it. */',
		`export const COUNTRIES = '${Object.keys(countries.getAlpha2Codes()).sort().join(' ')}';`,
		'',
		'/** ISO 4217 codes by the number of decimals that an amount may have. */',
		'export const CURRENCIES_BY_DECIMALS: Record<number, string> = {',
		...lists,
		'};',
		'',
	].join('\n');
}

if (require.main === module) writeFileSync(TARGET, generatedCodes());
