import fc from 'fast-check';

/** Runs of a property that names no number, as in fast-check. */
const DEFAULT_RUNS = 100;

/** Reads an integer from an environment variable; `undefined` when it isn't set. */
function integerFrom(name: string, min: number): number | undefined {
	const text = process.env[name];
	if (text === undefined) return undefined;
	const number = Number(text);
	if (text.trim() !== '' && Number.isInteger(number) && number >= min) return number;
	throw new Error(`${name} must be an integer from ${min} on, and it is "${text}".`);
}

/** More takes longer than one waits for while working; .ci/run sets no bound. */
const maxRuns = integerFrom('PROPERTY_RUNS', 1);

/**
 * Returns how often to run a property: `count`, or less if that is more than PROPERTY_RUNS allows.
 *
 * @param maxByDefault what counts if this variable isn't set
 */
export const propertyRuns = (count: number, maxByDefault = DEFAULT_RUNS): number =>
	Math.min(count, maxRuns ?? maxByDefault);

/**
 * Returns how many of `runs` random cases are of a kind that at least this share is of. Few runs
 * scatter, so it's four standard deviations less.
 */
export const leastOf = (share: number, runs: number): number =>
	Math.floor(share * runs - 4 * Math.sqrt(share * runs));

// PROPERTY_SEED makes all properties repeatable. fast-check prints the seed of one that failed.
const seed = integerFrom('PROPERTY_SEED', -(2 ** 31));
fc.configureGlobal({
	numRuns: propertyRuns(DEFAULT_RUNS),
	...(seed === undefined ? {} : { seed }),
});

/** fast-check, as all tests of properties use it. */
export { fc };

/** A generator of numbers from 0 to 1 (mulberry32), so that what is random can be repeated. */
export function randomFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
}
