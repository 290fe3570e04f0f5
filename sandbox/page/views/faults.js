import { api } from '../parts/api.js';
import { fill, h } from '../parts/dom.js';
import { button, say } from '../parts/feedback.js';
import { field, form, input, select } from '../parts/form.js';
import { pill } from '../parts/format.js';
import { faultFields, toFaults, toValues } from './faultFields.js';

export const title = 'Faults';
export const lead =
	'What goes wrong, and how often. The lots are drawn from a seeded sequence: the same seed gives the same run again.';
export const areas = ['faults'];

const nextFaults = [
	['status:429', '429 with Retry-After 1 s'],
	['status:500', '500'],
	['status:503', '503'],
	['dropAfter', 'processed, answer lost'],
	['reset', 'connection reset'],
	['hang', 'no answer'],
	['html', 'a page instead of JSON'],
	['halfBody', 'half of the answer'],
];

const toNext = (fault) => {
	if (!fault.startsWith('status:')) return { fault };
	const status = Number(fault.slice(7));
	return { status, ...(status === 429 && { retryAfter: 1 }) };
};

/** What happens once, at once. */
function nowCard() {
	const seconds = input('seconds', {
		type: 'number',
		min: '1',
		max: '600',
		value: '5',
		required: true,
	});
	const act = async (request, text) => {
		await api.patch('/faults', request);
		say(text);
	};
	return h(
		'section',
		{ class: 'card' },
		h('h2', {}, 'Now'),
		h(
			'div',
			{ class: 'actions' },
			button('Revoke all tokens', () =>
				act({ revokeTokens: true }, 'All tokens are revoked; the next request is answered 401.'),
			),
			button('Let all tokens expire', () =>
				act({ expireTokens: true }, 'All tokens are expired; the next request is answered 401.'),
			),
		),
		form(
			{ class: 'row' },
			({ seconds: text }) =>
				act(
					{ refuseConnections: { ms: Number(text) * 1000 } },
					`Connections are refused for ${text} s, this page's, too.`,
				),
			field('Refuse connections for, s', seconds),
			h('button', { class: 'plain' }, 'Refuse'),
		),
	);
}

/** What exactly the next requests get. */
function nextCard(queue) {
	return h(
		'section',
		{ class: 'card' },
		h('h2', {}, 'Next transaction'),
		form(
			{ class: 'row' },
			async ({ fault }) => {
				const { next } = await api.get('/faults');
				await api.patch('/faults', { next: [...next, toNext(fault)] });
			},
			field('Gets', select('fault', nextFaults)),
			h('button', { class: 'plain' }, 'Add'),
		),
		queue,
	);
}

export function create() {
	const queue = h('p', { class: 'pills' });
	const element = form(
		{ class: 'card faults', oninput: () => (touched = true) },
		async (values) => {
			await api.put('/faults', { ...toFaults(values), next: (await api.get('/faults')).next });
			touched = false;
			say('These faults are in force now.');
		},
		h('h2', {}, 'Until changed'),
		faultFields(),
		h(
			'div',
			{ class: 'actions' },
			h('button', { class: 'primary' }, 'Apply'),
			button('Switch everything off', async () => {
				await api.put('/faults', {});
				touched = false;
				await refresh();
				say('All faults are off.');
			}),
		),
	);
	// What somebody is filling in is not overwritten by a change from elsewhere.
	let touched = false;

	async function refresh() {
		const faults = await api.get('/faults');
		fill(
			queue,
			faults.next.length > 0
				? faults.next.map((one) =>
						pill(
							`${one.times > 1 ? `${one.times} × ` : ''}${one.fault ?? one.status}${one.on === 'token' ? ' (token)' : ''}`,
							'warn',
						),
					)
				: h(
						'span',
						{ class: 'muted' },
						'Nothing is waiting: the next one is answered as it should be.',
					),
		);
		if (touched) return;
		for (const [name, value] of Object.entries(toValues(faults))) {
			const control = element.elements.namedItem(name);
			if (control.type === 'checkbox') control.checked = value;
			else control.value = value;
		}
	}
	return {
		element: h('div', {}, h('div', { class: 'columns' }, nowCard(), nextCard(queue)), element),
		refresh: () => refresh().catch(() => undefined),
	};
}
