import { h } from './dom.js';

const time = new Intl.DateTimeFormat(undefined, {
	hour: '2-digit',
	minute: '2-digit',
	second: '2-digit',
	hourCycle: 'h23',
});
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
const numbers = new Intl.NumberFormat('en');

export const count = (value) => numbers.format(value);

/** A time of day, with the whole date as its title. */
export const at = (ms) =>
	h('time', { datetime: new Date(ms).toISOString(), title: full.format(ms) }, time.format(ms));

export const code = (text) => h('code', { title: text }, text);

/** Which color a status has; what is not here is neutral. */
const tones = {
	good: ['COMPLETED', 'ACTIVE', 'DELIVERED', 'accepted'],
	busy: ['CREATED', 'PROCESSING', 'SENDING', 'WAITING', 'UNBLOCKING'],
	warn: ['RETRYING', 'COMPLIANCE_REVIEW', 'AWAITING_APPROVAL', 'BLOCKED', 'RETURNED', 'duplicate'],
	bad: ['FAILED', 'REJECTED', 'ACTIVATION_FAILED'],
};
const toneOf = (status) =>
	Object.keys(tones).find((tone) => tones[tone].includes(status)) ?? 'idle';

/** A status as a colored word; the word says it, too, so that nobody needs the color. */
export const pill = (status, tone = toneOf(status)) =>
	h('span', { class: `pill ${tone}` }, status.replaceAll('_', ' '));

/** The status of an HTTP answer, or that none came. */
export const answer = (status) =>
	status === null
		? pill('no answer', 'bad')
		: pill(String(status), status >= 200 && status < 300 ? 'good' : 'bad');

export const json = (value) => h('pre', { tabindex: '0' }, JSON.stringify(value, null, 2));
