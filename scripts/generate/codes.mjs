// Writes the currencies and countries that ship. Another version of Node can have another ICU, and
// so other decimals.
import { writeFileSync } from 'node:fs';
import currencies from 'currency-codes';
import countries from 'i18n-iso-countries';

const TARGET = new URL('../../nodes/shared/codes.generated.ts', import.meta.url);

/** Newer than the data set: ISO 4217 amendment 176, which replaces ANG from March 31, 2025. */
const ADDED_CURRENCIES = ['XCG'];
/**
 * Codes of ISO 4217 in which nobody can be paid: the one for tests, and the one for "no currency".
 */
const EXCLUDED_CURRENCIES = ['XTS', 'XXX'];

/** ISO 4217, without what it has withdrawn, such as HRK and ZWL. */
const currencyCodes = [...currencies.codes(), ...ADDED_CURRENCIES]
	.filter((code) => !EXCLUDED_CURRENCIES.includes(code))
	.sort();

/** ISO 3166-1 alpha-2, and XK (Kosovo), which it leaves to users and payments use. */
const countryCodes = Object.keys(countries.getAlpha2Codes()).sort();

/**
 * Returns the decimals that an amount in this currency may have: those of ISO 4217, or those of ICU
 * if it has more, because they follow different uses. Where neither states any (gold), 2.
 * @param {string} code
 */
function decimalsOf(code) {
	const format = new Intl.NumberFormat('en', { style: 'currency', currency: code });
	const ofIcu = format.resolvedOptions().maximumFractionDigits ?? 2;
	return Math.max(currencies.code(code)?.digits ?? 0, ofIcu);
}

/**
 * Writes codes as one text, so that the table is read at a glance.
 * @param {string[]} codes
 */
function listOf(codes) {
	const PER_LINE = 20;
	const lines = [];
	for (let start = 0; start < codes.length; start += PER_LINE)
		lines.push(codes.slice(start, start + PER_LINE).join(' '));
	return `\`\n${lines.map((line) => `\t${line}\n`).join('')}\``;
}

const allDecimals = [...new Set(currencyCodes.map(decimalsOf))].sort();

writeFileSync(
	TARGET,
	`// Made by \`npm run generate\`. Do not edit.

const codesOf = (list: string): string[] => list.trim().split(/\\s+/);

/** ISO 3166-1 alpha-2, and XK as payments use it. */
export const COUNTRIES = codesOf(${listOf(countryCodes)});

/** ISO 4217 codes by the number of decimals that an amount may have. */
const CODES_BY_DECIMALS = {
${allDecimals.map((decimals) => `\t${decimals}: ${listOf(currencyCodes.filter((code) => decimalsOf(code) === decimals))},`).join('\n')}
};

/** ISO 4217 codes, with the number of decimals that an amount may have. */
export const CURRENCIES: Readonly<Record<string, number>> = Object.fromEntries(
	Object.entries(CODES_BY_DECIMALS).flatMap(([decimals, list]) =>
		codesOf(list).map((code) => [code, Number(decimals)]),
	),
);
`,
);
