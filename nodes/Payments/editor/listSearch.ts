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

/** Adds the English name that Unicode's locale data has for each code, for example `EUR – Euro`. */
function withNames(codes: string[], type: 'currency' | 'region'): INodeListSearchItems[] {
	const names = new Intl.DisplayNames('en', { type, fallback: 'none' });
	return [...codes].sort().map((code) => {
		const name = names.of(code);
		return { value: code, name: name === undefined ? code : `${code} – ${name}` };
	});
}

const COUNTRY_ITEMS = withNames(COUNTRIES, 'region');
const CURRENCY_ITEMS = withNames(Object.keys(CURRENCIES), 'currency');

/** Finds the items that have the words in their code or name. Without words, all. */
function search(items: INodeListSearchItems[], words = ''): INodeListSearchResult {
	const searched = words.trim().toLowerCase();
	return { results: items.filter(({ name }) => name.toLowerCase().includes(searched)) };
}

type ListSearch = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

/** What the lists of the node show; n8n calls these functions by their names, with what the user types into the list. */
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
