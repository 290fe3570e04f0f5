import { h } from '../parts/dom.js';
import { checkbox, field, fields, input, select } from '../parts/form.js';

export const STATUSES = [429, 500, 502, 503, 504];

const percent = (name, label, hint) =>
	field(
		`${label}, %`,
		input(name, { type: 'number', min: '0', max: '100', step: 'any', placeholder: '0' }),
		hint,
	);
const number = (name, label, attributes = {}, hint = undefined) =>
	field(label, input(name, { type: 'number', min: '0', ...attributes }), hint);

/** The faults that last, grouped by what they happen to. */
export const faultFields = () => [
	fields(
		'Transactions',
		h(
			'div',
			{ class: 'grid' },
			STATUSES.map((status) => percent(`status-${status}`, `Answered ${status}`)),
			number('retryAfter', 'Retry-After, s', { step: 'any' }, 'Of 429 and 503.'),
			percent('dropResponses', 'Answer lost', 'Processed, then the connection ends.'),
			percent('resetConnections', 'Connection reset', 'Before anything is processed.'),
			number('latencyMs', 'Latency, ms'),
			number('revokeEvery', 'Revoke tokens after', {}, 'So many transactions, again and again.'),
		),
		checkbox('strictScope', 'Strict scope: 403 for OXYGEN tokens'),
	),
	fields(
		'Token endpoint',
		h(
			'div',
			{ class: 'grid' },
			field(
				'Answer',
				select('token', [
					['', 'the right one'],
					['400', '400'],
					['429', '429'],
					['500', '500'],
					['503', '503'],
					['html', 'a page instead of JSON'],
					['reset', 'connection reset'],
					['hang', 'no answer'],
				]),
			),
			number('tokenLatencyMs', 'Latency, ms'),
		),
		checkbox('noRefreshToken', 'Without a refresh token'),
	),
	fields(
		'Deliveries',
		h(
			'div',
			{ class: 'grid' },
			percent('doubled', 'Sent twice'),
			percent('tripled', 'Sent three times'),
			percent('shuffled', 'Out of order', 'Held back for up to a second.'),
			percent('delayed', 'Delayed'),
			number('delayMs', 'Delay, ms', { placeholder: '5000' }),
			number('concurrency', 'At the same time', { min: '1', max: '500', placeholder: '20' }),
			number('attempts', 'Attempts', { min: '1', placeholder: '10' }),
			number(
				'intervalS',
				'Interval, s',
				{ step: 'any', placeholder: '600' },
				'Between two attempts.',
			),
		),
	),
	fields(
		'Course',
		h(
			'div',
			{ class: 'grid' },
			number('seed', 'Seed', {}, 'Of the random sequence.'),
			number(
				'processingMs',
				'Payment step, ms',
				{ placeholder: '100' },
				'From one status to the next.',
			),
		),
	),
];

const rate = (text) => Number(text ?? 0) / 100;
const given = (values) =>
	Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
const numberOf = (text, factor = 1) => (text === undefined ? undefined : Number(text) * factor);

/** What was filled in, as `PUT /sandbox/faults` takes it. */
export function toFaults(values) {
	const retryAfter = numberOf(values.retryAfter);
	const statuses = STATUSES.map((status) => ({
		status,
		rate: rate(values[`status-${status}`]),
		...([429, 503].includes(status) && given({ retryAfter })),
	}));
	const status = Number(values.token) || undefined;
	return given({
		seed: numberOf(values.seed),
		statuses: statuses.filter((one) => one.rate > 0),
		dropResponses: rate(values.dropResponses),
		resetConnections: rate(values.resetConnections),
		latencyMs: numberOf(values.latencyMs),
		strictScope: values.strictScope === 'on',
		revokeTokens: values.revokeEvery ? { every: Number(values.revokeEvery) } : undefined,
		token: given({
			status,
			fault: status ? undefined : values.token,
			latencyMs: numberOf(values.tokenLatencyMs),
			noRefreshToken: values.noRefreshToken === 'on' || undefined,
		}),
		deliveries: given({
			doubled: rate(values.doubled),
			tripled: rate(values.tripled),
			shuffled: rate(values.shuffled),
			delayed: rate(values.delayed),
			delayMs: numberOf(values.delayMs),
			concurrency: numberOf(values.concurrency),
		}),
		retries: given({
			attempts: numberOf(values.attempts),
			intervalMs: numberOf(values.intervalS, 1000),
		}),
		processingMs: numberOf(values.processingMs),
	});
}

const shown = (value) => (value ? String(value) : '');
/** Without the noise of binary fractions: 0.07 is 7 %, not 7.000000000000001 %. */
const percentOf = (value) => shown(Number((value * 100).toFixed(6)));

/** The faults in force, as the fields show them. */
export function toValues(faults) {
	const { statuses, token, deliveries, retries } = faults;
	const byStatus = STATUSES.map((status) => [
		`status-${status}`,
		percentOf(statuses.find((one) => one.status === status)?.rate ?? 0),
	]);
	return {
		...Object.fromEntries(byStatus),
		retryAfter: shown(statuses.find((one) => one.retryAfter !== undefined)?.retryAfter),
		dropResponses: percentOf(faults.dropResponses),
		resetConnections: percentOf(faults.resetConnections),
		latencyMs: shown(Array.isArray(faults.latencyMs) ? faults.latencyMs[1] : faults.latencyMs),
		revokeEvery: shown(faults.revokeTokens?.every),
		strictScope: faults.strictScope,
		token: shown(token.fault ?? token.status),
		tokenLatencyMs: shown(token.latencyMs),
		noRefreshToken: token.noRefreshToken ?? false,
		doubled: percentOf(deliveries.doubled),
		tripled: percentOf(deliveries.tripled),
		shuffled: percentOf(deliveries.shuffled),
		delayed: percentOf(deliveries.delayed),
		delayMs: shown(deliveries.delayMs),
		concurrency: shown(deliveries.concurrency),
		attempts: shown(retries.attempts),
		intervalS: shown(retries.intervalMs / 1000),
		seed: shown(faults.seed),
		processingMs: shown(faults.processingMs),
	};
}
