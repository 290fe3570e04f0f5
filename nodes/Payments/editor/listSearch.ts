import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { COUNTRIES, CURRENCIES } from '../../shared/codes.generated';

/** The schemes that the service interface names (section 2.1). */
const PAYMENT_SCHEMES = [
	{ value: 'FPS', name: 'FPS – Faster Payments' },
	{ value: 'SCT', name: 'SCT – SEPA Credit Transfer' },
	{ value: 'SEPA', name: 'SEPA – Single Euro Payments Area' },
];

/** Adds the English name of each code from Unicode's locale data, for example `EUR – Euro`. */
function withNames(codes: string[], type: 'currency' | 'region'): INodeListSearchItems[] {
	const names = new Intl.DisplayNames('en', { type, fallback: 'none' });
	return [...codes].sort().map((code) => {
		const name = names.of(code);
		return { value: code, name: name === undefined ? code : `${code} – ${name}` };
	});
}

const COUNTRY_ITEMS = withNames(COUNTRIES, 'region');
const CURRENCY_ITEMS = withNames(Object.keys(CURRENCIES), 'currency');

/** Ranks an item, best first: exact code, start of the code, of the name, of a word. */
function rank({ value, name }: INodeListSearchItems, searched: string): number {
	const code = String(value).toLowerCase();
	const nameOnly = name.slice(code.length + 3).toLowerCase();
	const matches = [
		code === searched,
		code.startsWith(searched),
		nameOnly.startsWith(searched),
		nameOnly.includes(` ${searched}`),
		true,
	];
	return matches.indexOf(true);
}

/**
 * Finds the items whose code or name contains the words, best matches first. Without words, all of
 * them.
 */
function search(items: INodeListSearchItems[], words = ''): INodeListSearchResult {
	const searched = words.trim().toLowerCase();
	const found = items.filter(({ name }) => name.toLowerCase().includes(searched));
	if (searched === '') return { results: found };
	return { results: found.sort((one, other) => rank(one, searched) - rank(other, searched)) };
}

type ListSearch = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

/** Searches the lists of the node. n8n calls these by name, with what the user types. */
export const listSearch: Record<string, ListSearch> = {
	async searchCountries(filter) {
		return search(COUNTRY_ITEMS, filter);
	},
	async searchCurrencies(filter) {
		return search(CURRENCY_ITEMS, filter);
	},
	async searchPaymentSchemes(filter) {
		return search(PAYMENT_SCHEMES, filter);
	},
};
