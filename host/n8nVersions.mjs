/** @param {string} version */
export const majorOf = (version) => Number(version.split('.')[0]);

/**
 * Orders versions, the newest first.
 * @param {string} a
 * @param {string} b
 */
const newestFirst = (a, b) => b.localeCompare(a, 'en', { numeric: true });

/**
 * Selects the stable versions of n8n: those without a suffix, up to the one that n8n tags as
 * stable. A beta of n8n is a plain version above it.
 * @param {string[]} versions
 * @param {Record<string, string>} tags the registry's dist-tags
 * @returns {string[]} the newest first
 */
export function stableVersions(versions, tags) {
	const stable = tags.stable ?? tags.latest;
	return versions
		.filter((version) => /^\d+\.\d+\.\d+$/.test(version) && newestFirst(version, stable) >= 0)
		.sort(newestFirst);
}
