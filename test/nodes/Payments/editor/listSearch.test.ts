import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { listSearch } from '../../../../nodes/Payments/editor/listSearch';
import { parseCountry, parseCurrency } from '../../../../nodes/Payments/validation/parse';

const search = async (list: keyof typeof listSearch, words?: string) => {
	const { results } = await listSearch[list].call({} as ILoadOptionsFunctions, words);
	return results;
};
const namesOf = async (list: keyof typeof listSearch, words?: string) =>
	(await search(list, words)).map(({ name }) => name);

test.each([
	['searchCurrencies', 'euro', 'EUR – Euro'],
	['searchCurrencies', 'gbp', 'GBP – British Pound'],
	['searchCountries', ' mark ', 'DK – Denmark'],
	['searchCountries', 'XK', 'XK – Kosovo'],
	['searchPaymentSchemes', 'credit', 'SCT – SEPA Credit Transfer'],
])('%s: %s finds %s', async (list, words, name) => {
	expect(await namesOf(list, words)).toContain(name);
});

test.each([
	['searchCurrencies', 'eur', 'EUR'],
	['searchCountries', 'DE', 'DE'],
	['searchCountries', ' germ', 'DE'],
	['searchPaymentSchemes', 'sepa', 'SEPA'],
])('%s: for %s, the first is %s', async (list, words, code) => {
	expect((await search(list, words))[0].value).toBe(code);
});

test('exact code, then start of the code, of the name, of a word, and the rest', async () => {
	const codes = (await search('searchCountries', 'i')).map(({ value }) => String(value));
	const names = await namesOf('searchCountries', 'i');
	const ranks = names.map((name, index) => {
		if (codes[index].startsWith('I')) return 1;
		if (name.slice(5).startsWith('I')) return 2;
		return name.slice(5).includes(' I') ? 3 : 4;
	});
	expect(new Set(ranks).size).toBeGreaterThan(2);
	expect(ranks).toEqual([...ranks].sort());
});

test('the payment schemes that the service interface names', async () => {
	expect(await search('searchPaymentSchemes')).toEqual([
		{ value: 'FPS', name: 'FPS – Faster Payments' },
		{ value: 'SCT', name: 'SCT – SEPA Credit Transfer' },
		{ value: 'SEPA', name: 'SEPA – Single Euro Payments Area' },
	]);
});

test('without words, a list has all its items, in alphabetical order', async () => {
	for (const list of ['searchCountries', 'searchCurrencies']) {
		const values = (await search(list)).map(({ value }) => String(value));
		expect(values.length).toBeGreaterThan(150);
		expect(values).toEqual([...values].sort());
	}
});

test('no item is found for other words', async () => {
	expect(await namesOf('searchCurrencies', 'no such currency')).toEqual([]);
});

test('a code that the locale data of Node.js has no name for is listed alone', async () => {
	const nameOf = jest
		.spyOn(Intl.DisplayNames.prototype, 'of')
		.mockImplementation((code) => (code === 'XCG' ? undefined : `Name of ${code}`));
	try {
		await jest.isolateModulesAsync(async () => {
			const { listSearch } = await import('../../../../nodes/Payments/editor/listSearch');
			const { results } = await listSearch.searchCurrencies.call({} as ILoadOptionsFunctions, 'xc');
			expect(results).toEqual([
				{ value: 'XCD', name: 'XCD – Name of XCD' },
				{ value: 'XCG', name: 'XCG' },
			]);
		});
	} finally {
		nameOf.mockRestore();
	}
});

test('every item of a list is one that the field accepts, and has a name', async () => {
	for (const { value, name } of await search('searchCountries')) {
		expect(parseCountry(value).value).toBe(value);
		expect(name).toMatch(/^[A-Z]{2} – \S/);
	}
	const currencies = await search('searchCurrencies');
	for (const { value } of currencies) expect(parseCurrency(value).value).toBe(value);
	// Codes of funds and of test transactions have no name.
	const named = currencies.filter(({ name }) => name.includes(' – '));
	expect(named.length).toBeGreaterThan(currencies.length - 10);
});
