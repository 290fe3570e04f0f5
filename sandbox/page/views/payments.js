import { api, vocabulary } from '../parts/api.js';
import { openSheet } from '../parts/dialog.js';
import { h } from '../parts/dom.js';
import { say } from '../parts/feedback.js';
import { field, form, input, select } from '../parts/form.js';
import { at, code, json, pill } from '../parts/format.js';
import { liveList } from '../parts/list.js';
import { moves } from './moves.js';

export const title = 'Payments';
export const lead =
	'A transaction becomes a payment and goes its way by itself. An incoming one that you simulate here stays where it is until you move it.';
export const areas = ['payments'];

async function move({ id }, status) {
	await api.put(`/payments/${id}/status`, { status });
	say(`The payment is ${status} now; PAYMENT.STATUS_UPDATED went out.`);
}

export function create() {
	let transitions;
	let status;
	const list = liveList({
		caption: 'Payments',
		columns: ['Id', 'Amount', 'Reference', 'Direction', 'Status', 'Changed', 'Move to'],
		keyOf: ({ id }) => id,
		cells: (payment) => [
			h(
				'button',
				{ type: 'button', class: 'link', onclick: () => openSheet('Payment', json(payment)) },
				code(payment.id),
			),
			h('span', { class: 'amount' }, `${payment.amount} ${payment.currency}`),
			h('span', { class: 'clip short', title: payment.reference }, payment.reference),
			payment.direction,
			pill(payment.status),
			at(payment.updatedAt),
			transitions[payment.status].length > 0
				? moves(transitions[payment.status], (next) => move(payment, next))
				: h('span', { class: 'muted' }, 'final'),
		],
		fetchPage: async (page) => {
			transitions ??= (await vocabulary()).paymentTransitions;
			return await api.get('/payments', { ...page, status });
		},
		empty: 'No payment. Simulate one above, or run the Payments node.',
	});
	const creation = form(
		{ class: 'card row' },
		async (values, _filled, element) => {
			await api.post('/payments', values);
			element.reset();
			say('The payment is created; PAYMENT.CREATED went out.');
		},
		field(
			'Amount',
			input('amount', {
				value: '125.00',
				pattern: '[0-9]+([.][0-9]+)?',
				required: true,
				inputmode: 'decimal',
				size: '10',
				title: 'A decimal number with a point',
			}),
		),
		field(
			'Currency',
			input('currency', {
				value: 'EUR',
				pattern: '[A-Z]{3}',
				required: true,
				size: '4',
				title: 'Three capital letters',
			}),
		),
		field('To account', input('toId', { placeholder: 'a new one' })),
		field('Reference', input('reference', { placeholder: 'e.g. Invoice 2025-0042' })),
		h('button', { class: 'primary' }, 'Simulate incoming'),
	);
	const choice = select('status', [['', 'any status']], {
		onchange: async () => {
			status = choice.value;
			await list.restart();
		},
	});
	void vocabulary().then(({ paymentTransitions }) =>
		choice.append(
			...Object.keys(paymentTransitions).map((one) => h('option', { value: one }, one)),
		),
	);
	return {
		element: h(
			'div',
			{},
			creation,
			h('div', { class: 'filters' }, field('Status', choice)),
			list.element,
		),
		refresh: list.refresh,
	};
}
