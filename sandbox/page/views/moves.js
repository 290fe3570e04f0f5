import { h } from '../parts/dom.js';
import { button } from '../parts/feedback.js';
import { form, select } from '../parts/form.js';

/** What a status change is called on its button; others are named by the status. */
const names = {
	ACTIVE: 'Activate',
	BLOCKED: 'Block',
	UNBLOCKING: 'Unblock',
	CLOSED: 'Close',
	ACTIVATION_FAILED: 'Let activation fail',
};
const titled = (status) =>
	names[status] ?? status[0] + status.slice(1).toLowerCase().replaceAll('_', ' ');

/** A button for each status that may follow; where there are many, a choice with one button. */
export function moves(statuses, move) {
	if (statuses.length < 4)
		return h(
			'div',
			{ class: 'moves' },
			statuses.map((status) => button(titled(status), () => move(status), { kind: 'small' })),
		);
	const options = statuses.map((status) => [status, titled(status)]);
	return form(
		{ class: 'moves' },
		({ status }) => move(status),
		select('status', options, { 'aria-label': 'Status', class: 'small' }),
		h('button', { class: 'small' }, 'Move'),
	);
}
