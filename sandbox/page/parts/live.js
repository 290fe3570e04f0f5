import { fill, h } from './dom.js';
import { at } from './format.js';

const AGAIN_MS = 1000;

const notice = (tone, text, onclose) =>
	h(
		'div',
		{ class: `notice ${tone}`, role: 'status' },
		h('p', {}, text),
		onclose && h('button', { type: 'button', class: 'plain', onclick: onclose }, 'Understood'),
	);

/**
 * Follows the sandbox. `changed` gets the names of the lists that changed and the counts. What happens to the sandbox itself is
 * said in words: that it does not answer, and, when another one answers after it, that what the first one knew is gone.
 */
export function follow(changed) {
	const notices = document.getElementById('notices');
	const state = document.getElementById('state');
	let instance;
	connect();

	function connect() {
		const stream = new EventSource('/sandbox/changes');
		stream.addEventListener('hello', greet);
		stream.addEventListener('changed', ({ data }) => {
			const { areas, counts } = JSON.parse(data);
			changed(areas, counts);
		});
		stream.addEventListener('error', () => {
			fill(state, h('span', { class: 'dot bad' }), 'Not reachable');
			fill(
				notices,
				notice(
					'bad',
					'The sandbox does not answer. It was stopped, or it refuses connections for a while. Start it again with "npm run sandbox"; this page goes on by itself then.',
				),
			);
			// A browser comes again by itself, but not after every kind of failure.
			if (stream.readyState === EventSource.CLOSED) setTimeout(connect, AGAIN_MS);
		});
	}

	function greet({ data }) {
		const hello = JSON.parse(data);
		fill(
			state,
			h('span', { class: 'dot good' }),
			'Running',
			h('span', { class: 'since' }, ' since '),
			at(hello.startedAt),
		);
		const another = instance !== undefined && instance !== hello.instance;
		instance = hello.instance;
		fill(
			notices,
			another &&
				notice(
					'warn',
					'The sandbox was started again. What it knew before is gone: clients, endpoints, transactions and everything else that was not kept with --export. What you see now is the new one.',
					() => fill(notices),
				),
		);
		changed(undefined, hello.counts);
	}
}
