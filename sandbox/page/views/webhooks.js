import { api, vocabulary } from '../parts/api.js';
import { fill, h, uniqueId } from '../parts/dom.js';
import { deliveryList } from './deliveries.js';
import { endpointCard } from './endpointCard.js';
import { endpointForm } from './endpointForm.js';

export const title = 'Webhooks';
export const lead =
	'An endpoint is a URL that is told what happens. Deliveries are signed, and repeated until they are answered 2xx.';
export const areas = ['endpoints', 'deliveries'];

export function create() {
	const kinds = h('datalist', { id: uniqueId('kinds') });
	const cards = h('div', { class: 'cards' });
	const shown = new Map();
	let endpoints = [];
	const nameOf = ({ label, url }) => label || url;
	const deliveries = deliveryList((id) => {
		const endpoint = endpoints.find((one) => one.id === id);
		return endpoint ? nameOf(endpoint) : 'deleted';
	});
	const creation = h('div', {});
	void vocabulary().then(({ events, recommendedEvents }) => {
		fill(
			kinds,
			events.map((event) => h('option', { value: event })),
		);
		fill(creation, endpointForm(recommendedEvents));
	});

	async function refresh() {
		({ items: endpoints } = await api.get('/endpoints'));
		for (const [id, card] of shown) {
			if (endpoints.some((endpoint) => endpoint.id === id)) continue;
			card.remove();
			shown.delete(id);
		}
		for (const endpoint of endpoints) {
			// A card that is there stays: somebody may be typing in it.
			if (shown.has(endpoint.id)) continue;
			shown.set(endpoint.id, endpointCard(endpoint, kinds.id));
			cards.append(shown.get(endpoint.id));
		}
		empty.hidden = endpoints.length > 0;
		deliveries.setEndpoints(endpoints);
		await deliveries.refresh();
	}
	const empty = h(
		'p',
		{ class: 'empty' },
		'No endpoint yet. Add one above with the URL that the Payments Trigger node shows.',
	);
	return {
		element: h(
			'div',
			{},
			kinds,
			creation,
			h('section', {}, h('h2', {}, 'Endpoints'), empty, cards),
			deliveries.element,
		),
		refresh: () => refresh().catch(() => undefined),
	};
}
