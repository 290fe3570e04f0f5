import { fill, h } from './dom.js';
import { count } from './format.js';
import { say } from './feedback.js';

const ROWS = 25;

/** Puts rows in their place. A row whose record did not change stays the very element, so that focus and clicks are not lost. */
function placeRows(body, items, keyOf, cells, columns, shown) {
	const next = new Map();
	for (const item of items) {
		const [key, text] = [keyOf(item), JSON.stringify(item)];
		const old = shown.get(key);
		if (old?.text === text) {
			next.set(key, old);
			continue;
		}
		const focused = old?.row.contains(document.activeElement)
			? document.activeElement.textContent
			: undefined;
		const row = h(
			'tr',
			{ role: 'row' },
			cells(item).map((cell, index) =>
				h('td', { role: 'cell', 'data-label': columns[index] }, cell),
			),
		);
		old?.row.replaceWith(row);
		if (focused)
			[...row.querySelectorAll('button')].find((one) => one.textContent === focused)?.focus();
		next.set(key, { row, text });
	}
	for (const [key, { row }] of shown) if (!next.has(key)) row.remove();
	[...next.values()].forEach(
		({ row }, index) =>
			body.children[index] !== row && body.insertBefore(row, body.children[index] ?? null),
	);
	return next;
}

/**
 * A table of records that goes on by itself. While somebody points into it or works in it with the keyboard, newer records wait
 * behind a button, so that no row moves away under a click. `fetchPage` gets `{ limit, before }`.
 */
export function liveList({ caption, columns, keyOf, cells, fetchPage, empty }) {
	let shown = new Map();
	let [before, from, total, next] = [undefined, undefined, 0, undefined];
	const earlier = [];
	let [asked, answered] = [0, 0];
	const body = h('tbody', { role: 'rowgroup' });
	const note = h('p', { class: 'empty' });
	const newer = h('button', {
		type: 'button',
		class: 'newer',
		hidden: true,
		onclick: () => go(undefined),
	});
	const back = h(
		'button',
		{ type: 'button', class: 'plain', onclick: () => go(earlier.pop(), false) },
		'Newer',
	);
	const on = h('button', { type: 'button', class: 'plain', onclick: () => go(next) }, 'Older');
	const position = h('span', { class: 'muted' });
	const pager = h('div', { class: 'pager' }, back, position, on);
	const table = h(
		'table',
		{ role: 'table' },
		h('caption', { class: 'hidden' }, caption),
		h(
			'thead',
			{ role: 'rowgroup' },
			h(
				'tr',
				{ role: 'row' },
				columns.map((column) => h('th', { role: 'columnheader', scope: 'col' }, column)),
			),
		),
		body,
	);
	const element = h('div', { class: 'list' }, newer, table, note, pager);
	const held = () =>
		before === undefined &&
		from !== undefined &&
		(body.matches(':hover') || body.contains(document.activeElement));

	async function refresh() {
		try {
			const [still, mine] = [held(), ++asked];
			const page = await fetchPage({ limit: ROWS, before: still ? from : before });
			// Answers may overtake each other; an older one must not take the place of a newer.
			if (mine < answered) return;
			answered = mine;
			const arrived = still ? page.total - total : 0;
			if (!still) [from, total] = [page.from, page.total];
			next = page.next;
			newer.hidden = arrived <= 0;
			newer.textContent = `${count(Math.max(0, arrived))} newer: show`;
			shown = placeRows(body, page.items, keyOf, cells, columns, shown);
			fill(note, shown.size === 0 && empty);
			table.hidden = shown.size === 0;
			back.disabled = before === undefined;
			on.disabled = next === undefined;
			pager.hidden = back.disabled && on.disabled;
			position.textContent = `${count(page.total)} in all`;
		} catch (error) {
			say(error.message, 'bad');
		}
	}

	async function go(target, forwards = true) {
		if (forwards && target !== undefined) earlier.push(before);
		if (target === undefined) earlier.length = 0;
		[before, from] = [target, undefined];
		await refresh();
	}
	/** After a change of what is asked for: from the newest again. */
	const restart = () => go(undefined);
	return { element, refresh, restart };
}
