import { api } from '../parts/api.js';
import { fill, h } from '../parts/dom.js';
import { button, say } from '../parts/feedback.js';
import { confirmed } from '../parts/dialog.js';
import { count } from '../parts/format.js';

export const title = 'Start';
export const lead =
	'The payments service, played on this machine. Nothing here is real money, and everything ends with the process that runs it.';
export const areas = ['clients', 'tokens', 'endpoints', 'deliveries', 'payments', 'transactions'];

const tile = (label, value, more) =>
	h(
		'div',
		{ class: 'tile' },
		h('dt', {}, label),
		h('dd', {}, count(value), more && h('small', {}, more)),
	);

/** The round of a newcomer; each step is done when the sandbox has seen it. */
const steps = [
	[
		'Create a client',
		(seen) => seen.clients > 0,
		h(
			'span',
			{},
			'Under ',
			h('a', { href: '#/developers' }, 'Developers'),
			'. Its secret is shown once; copy it right away.',
		),
	],
	[
		'Put it into n8n',
		(seen) => seen.tokens.issued > 0,
		"Make a Payments API credential there with this page's address as Auth URL and Base URL, the client id and the secret, and test it.",
	],
	[
		'Send a transaction',
		(seen) => seen.transactions.created > 0,
		h(
			'span',
			{},
			'Run the Payments node. What came in stands under ',
			h('a', { href: '#/transactions' }, 'Transactions'),
			'.',
		),
	],
	[
		'Register a webhook endpoint',
		(seen) => seen.endpoints > 0,
		h(
			'span',
			{},
			'Under ',
			h('a', { href: '#/webhooks' }, 'Webhooks'),
			', with the URL that the Payments Trigger node shows. Its secret goes into a Payments Webhook API credential.',
		),
	],
	[
		'See an event arrive',
		(seen) => seen.deliveries.delivered > 0,
		'Send a test event from the endpoint, or another transaction: the payment that it becomes is reported by itself.',
	],
];

async function importFile(file) {
	if (!file) return;
	await api.put('/state', JSON.parse(await file.text()));
	say('The state of the file is in place.');
}

export function create() {
	const tiles = h('dl', { class: 'tiles' });
	const list = h('ol', { class: 'steps' });
	const file = h('input', {
		type: 'file',
		accept: 'application/json',
		class: 'hidden',
		'aria-label': 'State file',
		tabindex: '-1',
		onchange: () =>
			importFile(file.files[0]).catch(({ message }) =>
				say(`The file was not taken: ${message}`, 'bad'),
			),
	});
	const keep = h(
		'section',
		{ class: 'card' },
		h('h2', {}, 'State'),
		h(
			'p',
			{},
			'It is in memory only. Keep it as a file to go on later, here or with --import; forget it to begin afresh.',
		),
		h(
			'div',
			{ class: 'actions' },
			h(
				'a',
				{ class: 'button plain', href: '/sandbox/state', download: 'sandbox-state.json' },
				'Export',
			),
			button('Import', async () => file.click()),
			button('Forget what happened', async () => {
				if (
					!(await confirmed(
						'Forget what happened?',
						'Transactions, payments, accounts, deliveries, counts and faults go. Clients and endpoints stay.',
						'Forget',
					))
				)
					return;
				await api.post('/reset');
				say('Forgotten.');
			}),
			file,
		),
	);
	const contract = h(
		'p',
		{ class: 'muted' },
		'The contract of all of this is ',
		h('a', { href: '/openapi.yaml' }, 'openapi.yaml'),
		'.',
	);

	async function refresh(counts) {
		if (!counts) return;
		const { transactions, deliveries, tokens } = counts;
		const [clients, endpoints] = await Promise.all([
			api.get('/clients'),
			api.get('/endpoints'),
		]).catch(() => [{ items: [] }, { items: [] }]);
		const seen = { ...counts, clients: clients.items.length, endpoints: endpoints.items.length };
		fill(
			tiles,
			tile(
				'Transactions',
				transactions.created,
				transactions.duplicates > 0 && `${count(transactions.duplicates)} duplicates`,
			),
			tile(
				'Payments',
				counts.payments,
				transactions.processing > 0 && `${count(transactions.processing)} on their way`,
			),
			tile(
				'Delivered',
				deliveries.delivered,
				`${count(deliveries.pending)} pending, ${count(deliveries.failed)} failed`,
			),
			tile(
				'Token exchanges',
				tokens.issued,
				tokens.rejected > 0 && `${count(tokens.rejected)} refused`,
			),
		);
		fill(
			list,
			steps.map(([name, done, how]) =>
				h(
					'li',
					{ class: done(seen) ? 'done' : undefined },
					h('h3', {}, name, done(seen) && h('span', { class: 'pill good' }, 'done')),
					h('p', {}, how.cloneNode?.(true) ?? how),
				),
			),
		);
	}
	return {
		element: h(
			'div',
			{},
			tiles,
			h('section', { class: 'card' }, h('h2', {}, 'The whole round, in five minutes'), list),
			keep,
			contract,
		),
		refresh,
	};
}
