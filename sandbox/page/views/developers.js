import { api } from '../parts/api.js';
import { confirmed } from '../parts/dialog.js';
import { fill, h } from '../parts/dom.js';
import { button, copyable, say } from '../parts/feedback.js';
import { checkbox, field, fields, form, input } from '../parts/form.js';
import { at, code, pill } from '../parts/format.js';
import { liveList } from '../parts/list.js';

export const title = 'Developers';
export const lead = 'A client is what n8n signs in with: an id, and a secret that is shown once.';
export const areas = ['clients', 'tokens'];

async function remove({ clientId, name }) {
	const sure = await confirmed(
		'Delete this client?',
		`${name || clientId} cannot get tokens any more, and those it has stop working at once.`,
		'Delete',
	);
	if (!sure) return;
	await api.delete(`/clients/${encodeURIComponent(clientId)}`);
	say('The client is deleted.');
}

/** The only time that the secret stands anywhere. */
const secretCard = ({ clientId, clientSecret }, done) =>
	h(
		'div',
		{ class: 'reveal', role: 'status' },
		h('h3', {}, 'Copy the secret now'),
		h('p', {}, 'It is shown this once and cannot be had again. Lost it? Create another client.'),
		copyable('Client ID', clientId),
		copyable('Client Secret', clientSecret, { secret: true }),
		h(
			'div',
			{ class: 'actions' },
			h('button', { type: 'button', class: 'plain', onclick: done }, 'I have copied it'),
		),
	);

export function create() {
	const reveal = h('div', {});
	const creation = form(
		{ class: 'card' },
		async ({ name }, filled, element) => {
			const client = await api.post('/clients', {
				name: name ?? '',
				scopes: filled.getAll('scopes'),
			});
			fill(
				reveal,
				secretCard(client, () => fill(reveal)),
			);
			element.reset();
		},
		h('h2', {}, 'Create a client'),
		field('Name', input('name', { placeholder: 'e.g. My n8n', maxlength: '100' })),
		fields(
			'Scopes it may ask for',
			checkbox('scopes', 'PAYMENTS', { value: 'PAYMENTS', checked: true }),
			checkbox('scopes', 'payments.*', { value: 'payments.*', checked: true }),
			checkbox('scopes', 'OXYGEN', { value: 'OXYGEN', checked: true }),
		),
		h('div', { class: 'actions' }, h('button', { class: 'primary' }, 'Create')),
		reveal,
	);
	const addresses = h(
		'section',
		{ class: 'card' },
		h('h2', {}, 'Addresses'),
		h('p', {}, "Both are this page's own."),
		copyable('Auth URL', location.origin),
		copyable('Base URL', location.origin),
	);
	const clients = liveList({
		caption: 'Clients',
		columns: ['Name', 'Client ID', 'Scopes', 'Created', 'Actions'],
		keyOf: ({ clientId }) => clientId,
		cells: (client) => [
			client.name || 'no name',
			code(client.clientId),
			client.scopes.join(', '),
			at(client.createdAt),
			button('Delete', () => remove(client), {
				'aria-label': `Delete ${client.name || client.clientId}`,
			}),
		],
		fetchPage: async () => whole((await api.get('/clients')).items.reverse()),
		empty: 'No client yet. Create one above.',
	});
	const tokens = liveList({
		caption: 'Valid tokens',
		columns: ['Kind', 'Scope', 'Client ID', 'Issued', 'Valid until'],
		keyOf: ({ clientId, issuedAt }) => `${clientId} ${issuedAt}`,
		cells: (token) => [
			pill(token.kind, token.kind === 'OXYGEN' ? 'warn' : 'busy'),
			token.scope,
			code(token.clientId),
			at(token.issuedAt),
			at(token.expiresAt),
		],
		fetchPage: async () => whole((await api.get('/tokens', { limit: 20 })).items),
		empty: 'No valid token. n8n gets one with the first request that needs it.',
	});
	const section = (name, list) => h('section', {}, h('h2', {}, name), list.element);
	return {
		element: h(
			'div',
			{},
			h('div', { class: 'columns' }, creation, addresses),
			section('Clients', clients),
			section('Valid tokens', tokens),
		),
		refresh: async () => await Promise.all([clients.refresh(), tokens.refresh()]),
	};
}

/** A list that always comes whole, as the one page that it is. */
const whole = (items) => ({ items, total: items.length, from: items.length + 1 });
