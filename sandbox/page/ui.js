import { h, shallowRef, withModifiers } from 'vue';
import { api } from './sandbox.js';

const variants = {
	success: ['COMPLETED', 'ACTIVE', 'DELIVERED', 'accepted', 'done'],
	warning: ['RETRYING', 'COMPLIANCE_REVIEW', 'AWAITING_APPROVAL', 'BLOCKED', 'RETURNED', 'OXYGEN'],
	danger: ['FAILED', 'REJECTED', 'ACTIVATION_FAILED'],
};
const verbs = { ACTIVE: 'Activate', BLOCKED: 'Block', UNBLOCKING: 'Unblock', CLOSED: 'Close' };
const variantOf = (status) => Object.keys(variants).find((name) => variants[name].includes(status));

/** Shows a message for some seconds. */
export function say(textContent, variant = 'success') {
	const message = Object.assign(document.createElement('div'), { role: 'alert', textContent });
	message.dataset.variant = variant;
	// Without an earlier message, this one lies above a dialog that was opened in between.
	globalThis.ot.toast.clear();
	globalThis.ot.toast.el(message, { duration: 8000 });
}

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

/** Where a record of each kind is shown. */
const places = {
	transaction: 'transactions',
	payment: 'payments',
	delivery: 'webhooks',
	request: 'requests',
	account: 'accounts',
	endpoint: 'webhooks',
	client: 'developers',
};
/** Records that have a view of their own. */
const hasView = ['transaction', 'payment', 'delivery', 'request'];
export const pathTo = (kind, id) =>
	`#/${places[kind]}${hasView.includes(kind) ? `/${encodeURIComponent(id)}` : ''}`;

/** A link to a record, which can be shared. */
export const linkTo = (kind, id, text = code(id)) =>
	h('a', { href: pathTo(kind, id), class: 'clip' }, [text]);

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

/** Shows a member of a record as what its name says it is. */
export function show(name, value) {
	if (name.endsWith('At')) return time(value);
	if (name === 'status' || name === 'kind') return badge(value);
	if (!/id$/i.test(name)) return clip([value].flat().join(', '));
	return h('span', { class: 'hstack id' }, [code(value), copyButton(name, value)]);
}

/** Values with their labels, and buttons to copy them. */
export function copyList(values) {
	const row = ([label, value]) => [
		h('dt', label),
		h('dd', { class: 'hstack' }, [h('code', value), copyButton(label, value)]),
	];
	return h('dl', Object.entries(values).map(row));
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
