/** Calls a function for each text, number, and truth value of a body, with its dotted path. */
export function leavesOf(body: unknown, path = ''): Map<string, unknown> {
	if (typeof body !== 'object' || body === null) return new Map([[path, body]]);
	return new Map(
		Object.entries(body).flatMap(([name, value]) => [
			...leavesOf(value, path === '' ? name : `${path}.${name}`),
		]),
	);
}

/** Copies a body with each of its texts, numbers, and truth values replaced. */
export function mapLeaves(
	body: unknown,
	change: (value: unknown, path: string) => unknown,
	path = '',
): unknown {
	if (typeof body !== 'object' || body === null) return change(body, path);
	const entries = Object.entries(body).map(([name, value]): [string, unknown] => [
		name,
		mapLeaves(value, change, path === '' ? name : `${path}.${name}`),
	]);
	return Array.isArray(body) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}
