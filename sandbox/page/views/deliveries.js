import { api } from '../parts/api.js';
import { openSheet } from '../parts/dialog.js';
import { h } from '../parts/dom.js';
import { button, say } from '../parts/feedback.js';
import { field, select } from '../parts/form.js';
import { answer, at, code, pill } from '../parts/format.js';
import { liveList } from '../parts/list.js';

const headers = (values) =>
	h(
		'pre',
		{ tabindex: '0' },
		Object.entries(values)
			.map(([name, value]) => `${name}: ${value}\n`)
			.join(''),
	);

const attempt = ({ at: when, status, latencyMs, error, requestHeaders, responseBody }, index) =>
	h(
		'li',
		{},
		h(
			'h4',
			{},
			`Attempt ${index + 1}`,
			' ',
			answer(status),
			h('span', { class: 'muted' }, ' ', at(when), ` after ${latencyMs} ms`),
		),
		error && h('p', {}, error),
		h('details', {}, h('summary', {}, 'Headers that were sent'), headers(requestHeaders)),
		responseBody &&
			h('details', {}, h('summary', {}, 'Answer'), h('pre', { tabindex: '0' }, responseBody)),
	);

const pretty = (body) => JSON.stringify(JSON.parse(body), null, 2);

/** Everything about one delivery. */
async function open(id) {
	const delivery = await api.get(`/deliveries/${id}`);
	openSheet(
		delivery.event,
		h(
			'p',
			{},
			pill(delivery.status),
			' ',
			code(delivery.eventId),
			delivery.copyOf && h('span', { class: 'muted' }, ' repeats ', code(delivery.copyOf)),
		),
		h(
			'p',
			{ class: 'muted' },
			`To ${delivery.url}`,
			delivery.nextAttemptAt ? h('span', {}, '. Next attempt at ', at(delivery.nextAttemptAt)) : '',
		),
		h(
			'div',
			{ class: 'actions' },
			button('Send again', () => repeat(id)),
		),
		h('h3', {}, 'Attempts'),
		delivery.attempts.length > 0
			? h('ol', { class: 'attempts' }, delivery.attempts.map(attempt))
			: h('p', {}, 'None yet.'),
		h('h3', {}, 'Body'),
		h('pre', { tabindex: '0' }, pretty(delivery.body)),
	);
}

async function repeat(id) {
	await api.post(`/deliveries/${id}/resend`);
	say('The same event is sent again, as a new delivery.');
}

/** The list of deliveries with its filters; `labelOf` names an endpoint by its id. */
export function deliveryList(labelOf) {
	const status = select(
		'status',
		[['', 'any status'], 'WAITING', 'SENDING', 'RETRYING', 'DELIVERED', 'FAILED'],
		{ onchange: () => list.restart() },
	);
	const endpointId = select('endpointId', [['', 'all endpoints']], {
		onchange: () => list.restart(),
	});
	const list = liveList({
		caption: 'Deliveries',
		columns: ['Event', 'Endpoint', 'Status', 'Last answer', 'Attempts', 'Created'],
		keyOf: ({ id }) => id,
		cells: (delivery) => [
			button(delivery.event, () => open(delivery.id), { kind: 'link event' }),
			h(
				'span',
				{ class: 'clip', title: labelOf(delivery.endpointId) },
				labelOf(delivery.endpointId),
			),
			pill(delivery.status),
			delivery.attempts > 0 &&
				h(
					'span',
					{ class: 'event' },
					answer(delivery.lastStatus),
					h('span', { class: 'muted' }, ` ${delivery.lastLatencyMs} ms`),
				),
			String(delivery.attempts),
			at(delivery.createdAt),
		],
		fetchPage: (page) =>
			api.get('/deliveries', { ...page, status: status.value, endpointId: endpointId.value }),
		empty: 'No delivery. Send a test event from an endpoint, or change the filter.',
	});
	const setEndpoints = (endpoints) => {
		const chosen = endpointId.value;
		endpointId.replaceChildren(
			h('option', { value: '' }, 'all endpoints'),
			...endpoints.map(({ id }) => h('option', { value: id }, labelOf(id))),
		);
		endpointId.value = chosen;
	};
	const element = h(
		'section',
		{},
		h('h2', {}, 'Deliveries'),
		h('div', { class: 'filters' }, field('Status', status), field('Endpoint', endpointId)),
		list.element,
	);
	return { element, refresh: list.refresh, setEndpoints };
}
