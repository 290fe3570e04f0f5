import { fill, h } from './parts/dom.js';
import { follow } from './parts/live.js';
import * as accounts from './views/accounts.js';
import * as developers from './views/developers.js';
import * as faults from './views/faults.js';
import * as payments from './views/payments.js';
import * as start from './views/start.js';
import * as transactions from './views/transactions.js';
import * as webhooks from './views/webhooks.js';

/** Each section: its name, the lists that it shows, and how it is made, once. */
const sections = { start, developers, webhooks, accounts, payments, transactions, faults };
const made = new Map();
const nav = document.getElementById('nav');
const view = document.getElementById('view');
let current;
let counts;

const links = Object.fromEntries(
	Object.entries(sections).map(([name, { title }]) => [name, h('a', { href: `#/${name}` }, title)]),
);
fill(nav, Object.values(links));

function show({ focus = true } = {}) {
	const name = location.hash.slice(2) in sections ? location.hash.slice(2) : 'start';
	if (!made.has(name)) made.set(name, sections[name].create());
	current = { ...sections[name], ...made.get(name) };
	for (const [other, link] of Object.entries(links)) {
		if (other === name) link.setAttribute('aria-current', 'page');
		else link.removeAttribute('aria-current');
	}
	links[name].scrollIntoView?.({ block: 'nearest', inline: 'center' });
	document.title = `${sections[name].title} · Payments sandbox`;
	const heading = h('h1', { tabindex: '-1' }, sections[name].title);
	fill(view, heading, h('p', { class: 'lead' }, sections[name].lead), current.element);
	window.scrollTo(0, 0);
	// Who came by a link goes on reading here, also with a screen reader.
	if (focus) heading.focus({ preventScroll: true });
	current.refresh(counts);
}

window.addEventListener('hashchange', () => show());
show({ focus: false });

follow((areas, latest) => {
	counts = latest;
	if (!areas || current.areas.some((area) => areas.includes(area))) current.refresh(counts);
});
