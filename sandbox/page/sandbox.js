import { onActivated, onDeactivated, reactive, watch } from 'vue';

const start = `npm run sandbox${location.port === '8480' ? '' : ` -- --port ${location.port}`}`;
const UNREACHABLE = `The sandbox doesn’t respond. Start it again with "${start}".`;
const REFRESH_MS = 500;

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
	if (method !== 'GET') sandbox.revision++;
	return data;
}

/** What the address has after its #: the path, the ID of a record, and a query if there is one. */
export function address() {
	const [route, query] = location.hash.split('?');
	const [, path = '', id = ''] = route.split('/');
	return { path, id: decodeURIComponent(id), query: query && new URLSearchParams(query) };
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

/** The sandbox as a whole. `revision` counts refreshes. */
export const sandbox = reactive({
	...(await api.get('/state')),
	vocabulary: await api.get('/vocabulary'),
	reachable: true,
	restarted: false,
	revision: 0,
});

/** Asks how the sandbox is, for as long as somebody looks at the page. */
async function follow() {
	for (;;) {
		await new Promise((resolve) => setTimeout(resolve, REFRESH_MS));
		if (document.hidden) continue;
		try {
			const { instance, counts, clock } = await api.get('/state');
			const restarted = sandbox.restarted || sandbox.instance !== instance;
			Object.assign(sandbox, { reachable: true, restarted, instance, counts, clock });
			sandbox.revision++;
		} catch {
			sandbox.reachable = false;
		}
	}
}

/** Calls `refresh` now and again and again, while the component is shown. */
export function useLive(refresh) {
	const { pause, resume } = watch(() => sandbox.revision, refresh, { immediate: true });
	onActivated(resume);
	onDeactivated(pause);
}

void follow();
