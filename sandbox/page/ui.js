import { h, withModifiers } from 'vue';
import { api, sandbox } from './sandbox.js';

const variants = {
	success: ['COMPLETED', 'DELIVERED'],
	warning: ['RETRYING', 'COMPLIANCE_REVIEW', 'AWAITING_APPROVAL', 'RETURNED'],
	danger: ['FAILED', 'REJECTED'],
};
export const schemes = {
	messageSignature: 'Message signature',
	standardWebhooks: 'Standard Webhooks',
	hmacSha256: 'HMAC-SHA256 of the body',
};
const variantOf = (status) => Object.keys(variants).find((name) => variants[name].includes(status));

/** Shows a message for some seconds. */
export const say = (text, variant = 'success') =>
	void window.ot.toast(text, '', { variant, placement: 'bottom-right' });

/** Returns an action that asks before it runs. */
export const ask = (question, run) => async () => {
	if (window.confirm(question)) await run();
};

/** The first part of the address of a record, or of the section that has it. */
const paths = {
	transaction: 'transactions',
	payment: 'payments',
	delivery: 'deliveries',
	request: 'requests',
	search: 'search',
};
const sections = { endpoint: 'webhooks', client: 'clients' };
export const pathTo = (kind, id) =>
	kind in paths ? `#/${paths[kind]}/${encodeURIComponent(id)}` : `#/${sections[kind]}`;

/** A link to a record, which can be shared. */
export const linkTo = (kind, id, text = code(id)) =>
	h('a', { href: pathTo(kind, id), class: { clip: typeof text !== 'string' } }, [text]);

export async function copy(label, text) {
	await navigator.clipboard.writeText(text);
	say(`${label} copied.`);
}
export const copyButton = (label, value, text = 'Copy') =>
	buttons([{ text, label: `Copy ${label}`, run: () => copy(label, value) }]);

/** An amount as every view has it: to the right, with separators. */
export const money = (amount, currency) => {
	const [whole, decimals = '00'] = String(amount).split('.');
	return h('span', { class: 'amount' }, `${count(whole)}.${decimals.padEnd(2, '0')} ${currency}`);
};

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
	const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
	const iso = [year, month, day].map((part) => String(part).padStart(2, '0')).join('-');
	const text = `${iso} ${date.toTimeString().slice(0, 8)}`;
	return h('time', { datetime: date.toISOString(), title }, text);
}
export const badge = (status, variant = variantOf(status) ?? 'secondary') =>
	h('span', { class: 'badge', 'data-variant': variant }, String(status).replaceAll('_', ' '));

/** An HTTP status, or null when no response came. A duplicate is as it should be. */
export function response(status, body = '') {
	if (status === 409 && body.includes('EVENT_ALREADY_EXISTS')) return badge('409 duplicate');
	return badge(status ?? 'no response', status >= 200 && status < 300 ? 'success' : 'danger');
}

/** An ID with a button to copy it. */
export const copyId = (label, id, text = code(id)) =>
	h('span', { class: 'hstack id' }, [text, copyButton(label, id)]);

/** Shows a member of a record as what its name says it is. */
export function show(name, value) {
	if (value === undefined) return '';
	if (name.endsWith('At')) return time(value);
	if (name === 'status') return badge(value);
	if (name === 'eventId') return copyId('Event ID', value, linkTo('transaction', value));
	if (name === 'clientId') return copyId('Client ID', value);
	return clip([value].flat().join(', '));
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
		h('select', { 'aria-label': 'Action' }, options),
		h('button', { class: 'outline small' }, 'Do it'),
	]);
}

/** What moves a payment to a status. */
const VERBS = {
	PROCESSING: 'Process',
	COMPLETED: 'Complete',
	COMPLIANCE_REVIEW: 'Review',
	AWAITING_APPROVAL: 'Ask for approval',
	REJECTED: 'Reject',
	FAILED: 'Let it fail',
	RETURNED: 'Return',
};
/** Actions that move a payment to the statuses that can follow its own. */
export const moves = ({ id, status: from }) =>
	sandbox.vocabulary.paymentTransitions[from].map((status) => ({
		text: VERBS[status],
		run: () => api.put(`/payments/${id}/status`, { status }),
	}));
