import { setTimeout as wait } from 'node:timers/promises';

type Nothing = false | '' | 0 | null | undefined;

/**
 * Waits until something holds, looking every so many ms.
 * @param holds what is looked at; anything but false, '', 0, null and undefined ends the waiting and is handed back
 * @throws in the words of `what` when it does not come true within the time
 */
export async function until<T>(
	what: string,
	holds: () => T | Promise<T>,
	{ timeoutMs = 60_000, everyMs = 50 } = {},
): Promise<Exclude<T, Nothing>> {
	for (const deadline = Date.now() + timeoutMs; ; await wait(everyMs)) {
		const found = await holds();
		if (found) return found as Exclude<T, Nothing>;
		if (Date.now() > deadline)
			throw new Error(`After ${timeoutMs / 1000} s it still was not so that ${what}.`);
	}
}
