import { unsafeUniformIntDistribution, xoroshiro128plus } from 'pure-rand';

/** How many different numbers a sequence has. */
const STEPS = 2 ** 32;

/**
 * Creates a sequence of numbers from 0 to below 1, evenly distributed and the same for the same
 * seed. It decides which requests get a fault. Never use it for secrets or ids.
 */
export function randomSequence(seed: number): () => number {
	const generator = xoroshiro128plus(seed);
	return () => unsafeUniformIntDistribution(0, STEPS - 1, generator) / STEPS;
}
