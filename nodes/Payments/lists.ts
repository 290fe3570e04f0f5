/** Lists the first names, and how many more there are. */
export function listed(names: readonly string[], max: number): string {
	const more = names.length > max ? ` and ${names.length - max} more` : '';
	return `${names.slice(0, max).join(', ')}${more}`;
}

/** Groups what has the same key, in the order of the first of each group. */
export function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): T[][] {
	const groups = new Map<string, T[]>();
	for (const one of all) {
		const key = keyOf(one);
		const group = groups.get(key);
		if (group) group.push(one);
		else groups.set(key, [one]);
	}
	return [...groups.values()];
}
