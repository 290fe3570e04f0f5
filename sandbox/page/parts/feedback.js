import { fill, h } from './dom.js';

const SHOWN_MS = 8000;
let timer;

/** Says something for a while, to screen readers at once. */
export function say(text, tone = 'good') {
	const toast = document.getElementById('toast');
	clearTimeout(timer);
	fill(toast, h('p', { class: `toast ${tone}` }, text));
	// Taken down and put up again, it lies above a sheet that was opened since.
	toast.hidePopover();
	toast.showPopover();
	timer = setTimeout(() => toast.hidePopover(), SHOWN_MS);
}

/** Runs what a button does; while it runs the button is off, and what goes wrong is said. */
export const doing = (action) => async (event) => {
	event.preventDefault();
	const button = event.submitter ?? event.currentTarget;
	button.disabled = true;
	try {
		await action(event);
	} catch (error) {
		say(error.message, 'bad');
	} finally {
		button.disabled = false;
		if (document.activeElement === document.body && button.isConnected) button.focus();
	}
};

export const button = (label, action, { kind = 'plain', ...attributes } = {}) =>
	h('button', { type: 'button', class: kind, onclick: doing(action), ...attributes }, label);

/** A value that is there to be copied. */
export function copyable(label, value, { secret = false } = {}) {
	return h(
		'div',
		{ class: 'copyable' },
		h('span', { class: 'label' }, label),
		h('code', { class: secret ? 'secret' : undefined }, value),
		button(
			'Copy',
			async () => {
				await navigator.clipboard.writeText(value);
				say(`${label} copied.`);
			},
			{ 'aria-label': `Copy ${label}` },
		),
	);
}
