import { h, uniqueId } from './dom.js';

/** Opens a sheet over the page; Escape, its button or a click beside it closes it. */
export function openSheet(title, ...content) {
	const heading = h('h2', { id: uniqueId('sheet') }, title);
	const close = h(
		'button',
		{ type: 'button', class: 'plain', onclick: () => sheet.close() },
		'Close',
	);
	const sheet = h(
		'dialog',
		{
			class: 'sheet',
			'aria-labelledby': heading.id,
			onclose: () => sheet.remove(),
			onclick: (event) => event.target === sheet && sheet.close(),
		},
		h('div', { class: 'sheet-body' }, h('header', {}, heading, close), content),
	);
	document.body.append(sheet);
	sheet.showModal();
	return sheet;
}

/** Asks before something that cannot be taken back; resolves with whether it is meant. */
export const confirmed = (title, text, doIt) =>
	new Promise((resolve) => {
		const yes = h(
			'button',
			{ type: 'button', class: 'danger', onclick: () => (resolve(true), sheet.close()) },
			doIt,
		);
		const sheet = openSheet(title, h('p', {}, text), h('div', { class: 'actions' }, yes));
		sheet.classList.add('small');
		sheet.addEventListener('close', () => resolve(false));
	});
