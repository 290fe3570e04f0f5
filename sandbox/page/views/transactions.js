import { api } from '../parts/api.js';
import { openSheet } from '../parts/dialog.js';
import { h } from '../parts/dom.js';
import { checkbox, field, form, input } from '../parts/form.js';
import { at, code, json, pill } from '../parts/format.js';
import { liveList } from '../parts/list.js';

export const title = 'Transactions';
export const lead =
	'What came in by POST /api/v1/transactions. One that came again with the same eventId was answered 409 and changed nothing.';
export const areas = ['transactions'];

const open = (stored) =>
	openSheet(
		'Transaction',
		h(
			'p',
			{ class: 'muted' },
			`Created with a token of the scope ${stored.scope}; seen ${stored.seen} times.`,
		),
		json(stored.transaction),
	);

export function create() {
	let filter = {};
	const list = liveList({
		caption: 'Transactions',
		columns: ['Event ID', 'Amount', 'Reference', 'From and to', 'First seen', 'State'],
		keyOf: ({ eventId }) => eventId,
		cells: (stored) => {
			const { eventId, amount, currency, reference, sender, recipient } = stored.transaction;
			return [
				h('button', { type: 'button', class: 'link', onclick: () => open(stored) }, code(eventId)),
				h('span', { class: 'amount' }, `${amount} ${currency}`),
				h('span', { class: 'clip', title: reference }, reference),
				`${sender.countryCode} to ${recipient.countryCode}`,
				at(stored.firstSeenAt),
				h(
					'span',
					{ class: 'pills' },
					pill(stored.paymentId ? 'accepted' : 'PROCESSING'),
					stored.seen > 1 && pill(`duplicate ×${stored.seen - 1}`, 'warn'),
				),
			];
		},
		fetchPage: (page) => api.get('/transactions', { ...page, ...filter }),
		empty: 'No transaction. Run the Payments node, or change the filter.',
	});
	const filters = form(
		{ class: 'filters' },
		async (values) => {
			filter = {
				eventId: values.eventId?.trim(),
				duplicated: values.duplicated === 'on' || undefined,
			};
			await list.restart();
		},
		field('Event ID', input('eventId', { type: 'search' })),
		checkbox('duplicated', 'Only those that came again'),
		h('button', { class: 'plain' }, 'Filter'),
	);
	return { element: h('div', {}, filters, list.element), refresh: list.refresh };
}
