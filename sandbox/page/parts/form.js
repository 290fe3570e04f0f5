import { h, uniqueId } from './dom.js';
import { doing } from './feedback.js';

/** A field with its label and, where there is one, a hint that screen readers read with it. */
export function field(label, control, hint) {
	control.id ||= uniqueId('field');
	const note = hint && h('small', { id: `${control.id}-hint` }, hint);
	if (note) control.setAttribute('aria-describedby', note.id);
	return h('div', { class: 'field' }, h('label', { for: control.id }, label), control, note);
}

export const input = (name, attributes = {}) =>
	h('input', { name, autocomplete: 'off', ...attributes });

/** `options`: texts, or pairs of value and text. */
export const select = (name, options, attributes = {}) =>
	h(
		'select',
		{ name, ...attributes },
		options.map((option) => {
			const [value, text] = Array.isArray(option) ? option : [option, option];
			return h('option', { value }, text);
		}),
	);

export const checkbox = (name, label, attributes = {}) =>
	h('label', { class: 'check' }, h('input', { type: 'checkbox', name, ...attributes }), label);

export const fields = (legend, ...children) => h('fieldset', {}, h('legend', {}, legend), children);

/** A form whose submission does something; `action` gets what was filled in: texts by name, empty ones left out. */
export const form = (attributes, action, ...children) =>
	h(
		'form',
		{
			...attributes,
			onsubmit: doing(async (event) => {
				const filled = new FormData(event.target);
				const values = Object.fromEntries([...filled].filter(([, value]) => value !== ''));
				await action(values, filled, event.target);
			}),
		},
		children,
	);
