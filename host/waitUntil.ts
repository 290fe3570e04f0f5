import pWaitFor from 'p-wait-for';

type Nothing = false | '' | 0 | null | undefined;

/**
 * Waits until a condition holds.
 * @param what completes the sentence "Timed out waiting until …"
 * @param condition is checked again and again; any value but false, '', 0, null, and undefined ends
 *   the waiting
 * @returns that value
 * @throws when the condition does not hold in time, or with what the condition itself throws
 */
export async function waitUntil<T>(
	what: string,
	condition: () => T | Promise<T>,
	// Long, because what is waited for may have a whole machine against it, and nothing else fails.
	{ timeoutMs = 120_000, intervalMs = 50 } = {},
): Promise<Exclude<T, Nothing>> {
	const message = `Timed out after ${timeoutMs / 1000} s waiting until ${what}.`;
	return await pWaitFor(
		async () => {
			const value = await condition();
			return value ? pWaitFor.resolveWith(value as Exclude<T, Nothing>) : false;
		},
		{ interval: intervalMs, timeout: { milliseconds: timeoutMs, message } },
	);
}
