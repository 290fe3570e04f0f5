import { api, vocabulary } from '../parts/api.js';
import { h } from '../parts/dom.js';
import { button, say } from '../parts/feedback.js';
import { field, form, input } from '../parts/form.js';
import { at, code, pill } from '../parts/format.js';
import { liveList } from '../parts/list.js';
import { moves } from './moves.js';

export const title = 'Virtual accounts';
export const lead =
	'A virtual account becomes ACTIVE when bank details are assigned to it. Every change goes out as an event.';
export const areas = ['accounts'];

const path = ({ id }) => `/virtual-accounts/${id}`;

function actions(account, transitions) {
	const move = async (status) => {
		await api.put(`${path(account)}/status`, { status });
		say(`The account is ${status} now; VIRTUAL_ACCOUNT.STATUS_UPDATED went out.`);
	};
	const assign = button(
		'Assign bank details',
		async () => {
			await api.post(`${path(account)}/bank-details`);
			say(
				'Bank details are assigned, the account is ACTIVE; VIRTUAL_ACCOUNT.STATUS_UPDATED went out.',
			);
		},
		{ kind: 'small strong' },
	);
	// Without bank details the way to ACTIVE is to assign them.
	const statuses = transitions[account.status].filter(
		(status) => account.bankDetails || status !== 'ACTIVE',
	);
	return h(
		'div',
		{ class: 'moves' },
		account.status === 'CREATED' && assign,
		moves(statuses, move),
	);
}

export function create() {
	let transitions;
	const list = liveList({
		caption: 'Virtual accounts',
		columns: ['Label', 'Id', 'Bank details', 'Currency', 'Status', 'Changed', 'Actions'],
		keyOf: ({ id }) => id,
		cells: (account) => [
			h('span', { class: 'clip short', title: account.label }, account.label || 'no label'),
			code(account.id),
			account.bankDetails
				? code(account.bankDetails.iban)
				: h('span', { class: 'muted' }, 'none yet'),
			account.currency,
			pill(account.status),
			at(account.updatedAt),
			actions(account, transitions),
		],
		fetchPage: async (page) => {
			transitions ??= (await vocabulary()).virtualAccountTransitions;
			return await api.get('/virtual-accounts', page);
		},
		empty: 'No virtual account yet. Create one above.',
	});
	const creation = form(
		{ class: 'card row' },
		async (values, _filled, element) => {
			await api.post('/virtual-accounts', values);
			element.reset();
			say('The account is created; VIRTUAL_ACCOUNT.CREATED went out.');
		},
		field('Label', input('label', { placeholder: 'e.g. Web shop', maxlength: '100' })),
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
		h('button', { class: 'primary' }, 'Create'),
	);
	return { element: h('div', {}, creation, list.element), refresh: list.refresh };
}
