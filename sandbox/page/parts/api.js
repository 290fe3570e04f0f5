/** One call of the sandbox. Rejects with the sandbox's own sentence, or with what to do when it does not answer. */
async function call(method, path, body) {
	let response;
	try {
		response = await fetch(`/sandbox${path}`, {
			method,
			...(body !== undefined && {
				body: JSON.stringify(body),
				headers: { 'content-type': 'application/json' },
			}),
		});
	} catch {
		throw new Error('The sandbox does not answer. Start it again with "npm run sandbox".');
	}
	if (response.status === 204) return undefined;
	const answer = await response
		.json()
		.catch(() => ({ message: `The sandbox answered ${response.status}.` }));
	if (!response.ok) throw new Error(answer.message);
	return answer;
}

/** Values that are undefined or empty are left out. */
const query = (values = {}) => {
	const given = Object.entries(values).filter(
		([, value]) => value !== undefined && value !== '' && value !== false,
	);
	return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
};

export const api = {
	get: (path, values) => call('GET', path + query(values)),
	post: (path, body) => call('POST', path, body),
	put: (path, body) => call('PUT', path, body),
	patch: (path, body) => call('PATCH', path, body),
	delete: (path) => call('DELETE', path),
};

let known;
/** The event kinds and status tables, asked for once. */
export const vocabulary = () => {
	known ??= api.get('/vocabulary').catch((error) => {
		known = undefined; // The sandbox was not there; whoever asks next may find it.
		throw error;
	});
	return known;
};
