import { api } from '../parts/api.js';
import { confirmed } from '../parts/dialog.js';
import { fill, h } from '../parts/dom.js';
import { button, copyable, say } from '../parts/feedback.js';
import { field, form, input } from '../parts/form.js';
import { schemes } from './endpointForm.js';

/** One endpoint: what it wants, its secret, and what can be sent to it. */
export function endpointCard({ id, label, url, events, scheme, headerName }, kindsId) {
	const name = label || url;
	const secret = h('div', {});
	const hide = () => fill(secret);
	const show = (values) =>
		fill(
			secret,
			h(
				'div',
				{ class: 'reveal' },
				copyable('Secret', values.secret, { secret: true }),
				values.previousSecret &&
					copyable('Previous secret', values.previousSecret, { secret: true }),
				h(
					'div',
					{ class: 'actions' },
					h('button', { type: 'button', class: 'plain', onclick: hide }, 'Hide'),
				),
			),
		);
	const test = form(
		{ class: 'row' },
		async ({ event }) => {
			await api.post(`/endpoints/${id}/test`, { event: event.trim() });
			say(`A test event ${event.trim()} is on its way to ${name}.`);
		},
		field(
			'Test event',
			input('event', { list: kindsId, value: 'PAYMENT.STATUS_UPDATED', required: true }),
		),
		h('button', { class: 'plain' }, 'Send'),
	);
	const actions = h(
		'div',
		{ class: 'actions' },
		button('Reveal secret', async () => show(await api.get(`/endpoints/${id}/secret`)), {
			'aria-label': `Reveal secret of ${name}`,
		}),
		button('Rotate secret', async () => {
			const sure = await confirmed(
				'Rotate the secret?',
				'Deliveries are signed with a new one at once. With Standard Webhooks they carry a signature by the previous one, too.',
				'Rotate',
			);
			if (sure) show(await api.post(`/endpoints/${id}/secret`));
		}),
		button(
			'Delete',
			async () => {
				if (
					!(await confirmed(
						'Delete this endpoint?',
						'What waits for it is not sent any more.',
						'Delete',
					))
				)
					return;
				await api.delete(`/endpoints/${id}`);
				say('The endpoint is deleted.');
			},
			{ 'aria-label': `Delete ${name}` },
		),
	);
	return h(
		'article',
		{ class: 'card endpoint' },
		h('h3', {}, name),
		label && h('p', { class: 'url' }, h('code', {}, url)),
		h('p', { class: 'muted' }, `${schemes[scheme]}${headerName ? `, header ${headerName}` : ''}`),
		h(
			'p',
			{ class: 'kinds' },
			events.map((event) =>
				h('span', { class: 'pill idle' }, event === '*' ? 'all events' : event),
			),
		),
		actions,
		secret,
		test,
	);
}
