import { h, shallowRef, withModifiers } from 'vue';
import { api, sandbox } from './sandbox.js';

const variants = {
	success: ['COMPLETED', 'ACTIVE', 'DELIVERED', 'accepted', 'done'],
	warning: ['RETRYING', 'COMPLIANCE_REVIEW', 'AWAITING_APPROVAL', 'BLOCKED', 'RETURNED', 'OXYGEN'],
	danger: ['FAILED', 'REJECTED', 'ACTIVATION_FAILED'],
};
export const schemes = {
	messageSignature: 'Message signature',
	standardWebhooks: 'Standard Webhooks',
	hmacSha256: 'HMAC-SHA256 of the body',
};
const verbs = { ACTIVE: 'Activate', BLOCKED: 'Block', UNBLOCKING: 'Unblock', CLOSED: 'Close' };
const variantOf = (status) => Object.keys(variants).find((name) => variants[name].includes(status));

const MESSAGE_MS = 8000;
/** The message that is shown: `text` and `variant`. */
export const message = shallowRef();

/** Shows a message for some seconds. */
export function say(text, variant = 'success') {
	const shown = { text, variant };
	message.value = shown;
	setTimeout(() => {
		if (message.value === shown) message.value = undefined;
	}, MESSAGE_MS);
}

/** A command of the sandbox as a person enters it, for this sandbox. */
export const command = (words) => `npm run sandbox -- ${words} --url ${location.origin}`;

/** The open dialog: `title`, `content` (a component), and for a question `verb` and `run`. */
export const dialog = shallowRef();

export function openDialog(title, content, verb, run) {
	dialog.value = { title, content, verb, run };
}

/** Returns an action that asks before it runs. */
export function ask(title, text, verb, action) {
	const run = async () => {
		dialog.value = undefined;
		await action();
	};
	return () => openDialog(title, () => text, verb, run);
}

/** The first part of a link to a record of each kind. */
const paths = {
	transaction: 'transactions',
	payment: 'payments',
	account: 'accounts',
	event: 'events',
	delivery: 'deliveries',
	request: 'requests',
	endpoint: 'endpoints',
	client: 'clients',
	sequence: 'sequences',
};
/** What the ID of a member is of, and what a person calls it. */
const ids = { eventId: ['transaction', 'Event ID'], clientId: ['client', 'Client ID'] };
export const pathTo = (kind, id) => `#/${paths[kind]}/${encodeURIComponent(id)}`;

/** A link to a record, which can be shared. */
export const linkTo = (kind, id, text = code(id)) =>
	h('a', { href: pathTo(kind, id), class: { clip: typeof text !== 'string' } }, [text]);

async function copy(label, text) {
	await navigator.clipboard.writeText(text);
	say(`${label} copied.`);
}
export const copyButton = (label, text) =>
	buttons([{ text: 'Copy', label: `Copy ${label}`, run: () => copy(label, text) }]);

// Without Intl here and in `time`: its first use takes 15 to 30 ms of the first view.
export const count = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ',');
export const clip = (text) => h('span', { title: text }, text);
export const code = (text) => h('code', { title: text }, text);
export const toLines = (headers) =>
	Object.entries(headers)
		.map((header) => header.join(': '))
		.join('\n');
/** JSON with indents; any other text stays as it is. */
export function pretty(text) {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}
export const pre = (text) => h('pre', { tabindex: 0 }, text);
export const json = (value) => pre(JSON.stringify(value, null, 2));
export function time(ms) {
	const date = new Date(ms);
	const [title] = String(date).split(' (');
	return h('time', { datetime: date.toISOString(), title }, date.toTimeString().slice(0, 8));
}
export const badge = (status, variant = variantOf(status) ?? 'secondary') =>
	h('span', { class: 'badge', 'data-variant': variant }, String(status).replaceAll('_', ' '));

/** An HTTP status, or null when no response came. */
export const response = (status) =>
	badge(status ?? 'no response', status >= 200 && status < 300 ? 'success' : 'danger');

/** What an event is about, as a link if it has a view. */
export function linkToObject(id) {
	const kind = { pmt: 'payment', vac: 'account' }[id.split('_')[0]];
	return kind ? linkTo(kind, id) : code(id);
}

/** The ID of a record as a link, with a button to copy it. */
export const idOf = (kind, id, label) =>
	h('span', { class: 'hstack id' }, [linkTo(kind, id), copyButton(label, id)]);

/** Shows a member of a record as what its name says it is. */
export function show(name, value) {
	if (value === undefined) return '';
	if (name.endsWith('At')) return time(value);
	if (name === 'status' || name === 'kind') return badge(value);
	if (!(name in ids)) return clip([value].flat().join(', '));
	const [kind, label] = ids[name];
	return idOf(kind, value, label);
}

/** Values with their labels, and buttons to copy them. Those with a kind, by label, are links. */
export function copyList(values, kinds = {}) {
	const row = ([label, value]) => {
		const href = kinds[label] && pathTo(kinds[label], value);
		const text = href ? h('a', { href }, [h('code', value)]) : h('code', value);
		return [h('dt', label), h('dd', { class: 'hstack' }, [text, copyButton(label, value)])];
	};
	const known = Object.entries(values).filter(([, value]) => value);
	return h('dl', known.map(row));
}

/** Buttons for `actions`, `{ text, label, run }`. More than three become a select and a button. */
export function buttons(actions) {
	if (actions.length <= 3) {
		const toButton = ({ text, label, run }) =>
			h('button', { class: 'outline small', 'aria-label': label, onClick: run }, text);
		return h('div', { class: 'hstack' }, actions.map(toButton));
	}
	const run = ({ target }) => actions[target.elements[0].selectedIndex].run();
	const options = actions.map(({ text }) => h('option', text));
	return h('form', { class: 'hstack', onSubmit: withModifiers(run, ['prevent']) }, [
		h('select', { 'aria-label': 'Status' }, options),
		h('button', { class: 'outline small' }, 'Move'),
	]);
}

/** Actions that move the record at a path to one of several statuses. */
export function moves(path, statuses) {
	return statuses.map((status) => {
		const words = status[0] + status.slice(1).toLowerCase().replaceAll('_', ' ');
		return { text: verbs[status] ?? words, run: () => api.put(`${path}/status`, { status }) };
	});
}

/** Actions on a virtual account. Without bank details, it becomes ACTIVE by assigning them. */
export function accountActions({ id, status, bankDetails }) {
	const path = `/virtual-accounts/${id}`;
	const next = sandbox.vocabulary.virtualAccountTransitions[status];
	if (bankDetails || !next.includes('ACTIVE')) return moves(path, next);
	const assign = { text: 'Assign bank details', run: () => api.post(`${path}/bank-details`) };
	return [assign, ...moves(path, next).filter(({ text }) => text !== 'Activate')];
}
