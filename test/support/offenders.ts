/** Returns what a rule finds in each file, without the files in which it finds nothing. */
export const offenders = <T>(
	paths: readonly string[],
	find: (path: string) => readonly T[],
): Record<string, readonly T[]> =>
	Object.fromEntries(
		paths.map((path) => [path, find(path)] as const).filter(([, found]) => found.length > 0),
	);
