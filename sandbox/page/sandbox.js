import { onActivated, onDeactivated, reactive, watch } from 'vue';

const start = `npm run sandbox${location.port === '8480' ? '' : ` -- --port ${location.port}`}`;
const UNREACHABLE = `The sandbox doesn’t respond. Start it again with "${start}".`;

/** Resolves with the response body. Rejects with what the sandbox says about a failed request. */
async function call(method, path, { body, params = {} } = {}) {
	const set = Object.entries(params).filter(([, value]) => value !== undefined);
	const response = await fetch(`/sandbox${path}?${new URLSearchParams(set)}`, {
		method,
		body: body && JSON.stringify(body),
		headers: body && { 'content-type': 'application/json' },
	}).catch(() => Promise.reject(new Error(UNREACHABLE)));
	const text = await response.text();
	const data = text ? JSON.parse(text) : undefined;
	if (!response.ok) throw Object.assign(new Error(data.message), { status: response.status });
	return data;
}

/** The sandbox's API. */
export const api = {
	get: (path, { params } = {}) => call('GET', path, { params }),
	post: (path, body) => call('POST', path, { body }),
	put: (path, body) => call('PUT', path, { body }),
	patch: (path, body) => call('PATCH', path, { body }),
	delete: (path) => call('DELETE', path),
};

/** Resolves with the record of an ID, or with null if there is none. */
export const find = (list, id) =>
	api
		.get(`${list}/${encodeURIComponent(id)}`)
		.catch((error) => (error.status === 404 ? null : Promise.reject(error)));

/** The sandbox as a whole, at first as it was when it sent the page. `revision` counts changes. */
export const sandbox = reactive({
	...JSON.parse(document.getElementById('app').dataset.sandbox),
	reachable: true,
	restarted: false,
	revision: 0,
});

/** Follows the sandbox's change stream for as long as the page is open. */
function connect() {
	const stream = new EventSource('/sandbox/changes');
	stream.addEventListener('hello', ({ data }) => {
		const { instance, startedAt, counts, clock } = JSON.parse(data);
		const restarted = sandbox.instance !== instance;
		Object.assign(sandbox, { reachable: true, restarted, instance, startedAt, counts, clock });
		sandbox.revision++;
	});
	stream.addEventListener('changed', ({ data }) => {
		const { counts, clock } = JSON.parse(data);
		Object.assign(sandbox, { counts, clock });
		sandbox.revision++;
	});
	stream.addEventListener('error', () => {
		sandbox.reachable = false;
		// Browsers reconnect on their own, except after some types of failure.
		if (stream.readyState === EventSource.CLOSED) setTimeout(connect, 1000);
	});
}

/** Calls `refresh` now and after each change in the sandbox, while the component is shown. */
export function useLive(refresh) {
	const { pause, resume } = watch(() => sandbox.revision, refresh, { immediate: true });
	onActivated(resume);
	onDeactivated(pause);
}

connect();
