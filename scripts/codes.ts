import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import currencies from 'currency-codes';
import countries from 'i18n-iso-countries';

/** Groups sorted codes by their first letter, which is written once: `AD AE` become `ADE`. So the package is smaller. */
function packCodes(codes: string[]): string {
	const letters = [...new Set(codes.map(([letter]) => letter))];
	return letters
		.map((letter) => {
			const ofLetter = codes.filter((code) => code.startsWith(letter));
			return letter + ofLetter.map((code) => code.slice(1)).join('');
		})
		.join(' ');
}

const TARGET = join(__dirname, '../nodes/shared/codes.generated.ts');

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
		.map(([decimals, codes]) => `\t${decimals}: unpack('${packCodes(codes)}', 3),`);
	return [
		'// Made by scripts/codes.ts; a test compares it with the data sets. Do not edit.',
		'',
		'/** Codes of one length by their first letter: `ADE` are AD and AE. */',
		'const unpack = (packed: string, length: number): string[] =>',
		"\tpacked.split(' ').flatMap((group) => {",
		"\t\tconst rests = group.slice(1).match(new RegExp(`.{${length - 1}}`, 'g')) ?? [];",
		'\t\treturn rests.map((rest) => group[0] + rest);',
		'\t});',
		'',
		'/** ISO 3166-1 alpha-2, and XK as payments use it. */',
		`export const COUNTRIES = unpack('${packCodes(Object.keys(countries.getAlpha2Codes()).sort())}', 2);`,
		'',
		'/** ISO 4217 codes by the number of decimals that an amount may have. */',
		'export const CURRENCIES_BY_DECIMALS: Record<number, string[]> = {',
		...lists,
		'};',
		'',
	].join('\n');
}

if (require.main === module) writeFileSync(TARGET, generatedCodes());
