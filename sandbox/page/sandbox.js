import axios from 'axios';
import { onActivated, onDeactivated, reactive, watch } from 'vue';

const UNREACHABLE = 'The sandbox doesn’t respond. Start it again with "npm run sandbox".';

/** The sandbox's API; a call resolves with the response body. */
export const api = axios.create({ baseURL: '/sandbox' });
api.interceptors.response.use(
	({ data }) => data,
	({ response }) => Promise.reject(new Error(response?.data.message ?? UNREACHABLE)),
);

/**
 * The sandbox as a whole; `reachable` is undefined until the first connection, `revision` counts
 * changes.
 */
export const sandbox = reactive({ reachable: undefined, restarted: false, revision: 0 });

/** Asked for at once, so that it's there when the stream is. */
const vocabulary = api.get('/vocabulary');

/** Follows the sandbox's change stream for as long as the page is open. */
function connect() {
	const stream = new EventSource('/sandbox/changes');
	stream.addEventListener('hello', async ({ data }) => {
		const { instance, startedAt, counts, clock } = JSON.parse(data);
		const restarted = sandbox.instance !== undefined && sandbox.instance !== instance;
		Object.assign(sandbox, { reachable: true, restarted, instance, startedAt, counts, clock });
		sandbox.vocabulary ??= await vocabulary.catch(() => api.get('/vocabulary'));
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
