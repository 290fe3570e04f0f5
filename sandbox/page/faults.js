const STATUSES = [429, 500, 502, 503, 504];
const FAULTS = [
	['', 'None'],
	['hang', 'No response'],
	['html', 'HTML instead of JSON'],
	['halfBody', 'Half of the response'],
	['reset', 'Connection reset'],
	['dropAfter', 'Response lost after recording'],
];
const NUMBER = { type: 'number', min: 0, step: 'any' };
const number = (name, label, more) => ({ ...NUMBER, name, label, ...more });
const checkbox = (name, label) => ({ name, label, type: 'checkbox' });
const percent = (name, label, hint) => number(name, `${label} (%)`, { hint, scale: 100, max: 100 });

/** What the next transaction request gets instead of a correct response. */
export const nextFields = [
	{ name: 'status', label: 'Next status', options: ['', 404, ...STATUSES] },
	{ name: 'fault', label: 'Next fault', options: FAULTS },
	number('retryAfter', 'Next Retry-After (s)'),
	checkbox('processed', 'After recording'),
];

/** The lasting faults. `name` is the path of a member, `scale` what the field shows for 1. */
export const faultFields = {
	Transactions: [
		...STATUSES.map((status) => percent(`statuses.${status}.rate`, `Rate of ${status}`)),
		number('statuses.429.retryAfter', 'Retry-After of 429 (s)'),
		number('statuses.503.retryAfter', 'Retry-After of 503 (s)'),
		percent('failAfterRecording', '503 after recording'),
		percent('dropResponses', 'Response lost', 'Recorded, then the connection closes.'),
		percent('resetConnections', 'Connection reset', 'Before anything is recorded.'),
		number('rateLimit.perSecond', 'Rate limit (per second)', { min: 1 }),
		number('rateLimit.retryAfter', 'Retry-After of the limit (s)'),
		number('slowdown.beyond', 'Slow down beyond', { min: 1, hint: 'Concurrent requests.' }),
		number('slowdown.latencyMs', 'Slowdown latency (ms)'),
		number('latencyMs', 'Latency (ms)'),
		number('processingMs', 'Processing (ms)', { hint: 'Between two payment statuses.' }),
		number('seed', 'Seed', { hint: 'Start of the random sequence.' }),
		number('revokeTokens.every', 'Revoke tokens every', { hint: 'Number of transactions.' }),
		number('forgetEventIdsAfterMs', 'Forget Event IDs after (h)', { scale: 1 / 3_600_000 }),
		checkbox('rejectDuplicateExternalIds', '409 for an External ID in use'),
		checkbox('transactionsNotFound', '404, as with a wrong Base URL'),
		checkbox('strictScope', '403 for OXYGEN tokens'),
	],
	'Access token requests': [
		{ name: 'token.status', label: 'Status', options: ['', 400, ...STATUSES] },
		{ name: 'token.fault', label: 'Fault', options: FAULTS.slice(0, -1) },
		number('token.latencyMs', 'Latency (ms)'),
		checkbox('token.noRefreshToken', 'No refresh token'),
	],
	Deliveries: [
		percent('deliveries.doubled', 'Sent twice'),
		percent('deliveries.tripled', 'Sent three times'),
		percent('deliveries.shuffled', 'Out of order', 'Held back for up to a second.'),
		percent('deliveries.delayed', 'Delayed'),
		number('deliveries.delayMs', 'Delay (ms)'),
		number('deliveries.concurrency', 'Max concurrent', { min: 1, max: 500 }),
		number('retries.attempts', 'Attempts', { min: 1 }),
		number('retries.intervalMs', 'Retry interval (s)', { scale: 0.001 }),
	],
};
const allFields = Object.values(faultFields).flat();

/** Scales a number without the noise of binary fractions: 0.07 is 7 %, not 7.000000000000001 %. */
const scaled = (value, by = 1) =>
	typeof value === 'number' ? Number((value * by).toFixed(9)) : value;

/** Returns the object that has the member at a path, and the name of that member. */
function locate(faults, path) {
	const names = path.split('.');
	const last = names.pop();
	return [names.reduce((object, name) => (object[name] ??= {}), faults), last];
}

/** Returns the values of the fields for the faults in effect. */
export function toForm(faults) {
	const statuses = Object.fromEntries(faults.statuses.map((one) => [one.status, one]));
	const values = allFields.map(({ name, scale }) => {
		const [object, member] = locate({ ...faults, statuses }, name);
		return [name, scaled(object[member] ?? '', scale)];
	});
	return Object.fromEntries(values);
}

/** Returns the faults for the values of the fields, as the sandbox takes them. */
export function toFaults(form) {
	const faults = { statuses: Object.fromEntries(STATUSES.map((status) => [status, { status }])) };
	for (const { name, scale = 1 } of allFields.filter((field) => form[field.name] !== '')) {
		const [object, member] = locate(faults, name);
		object[member] = scaled(form[name], 1 / scale);
	}
	return { ...faults, statuses: Object.values(faults.statuses).filter(({ rate }) => rate > 0) };
}
