import { Check } from './Check';
import type { Setup } from './Setup';
import { steps } from './steps';

const stepsFor = (setup: Setup) => steps.filter(({ applies }) => applies?.(setup) ?? true);

/** What the check sends, for the user to agree to. */
export function planOf(setup: Setup): { lines: string[]; records: number } {
	return {
		lines: stepsFor(setup)
			.map(({ sends }) => sends(setup))
			.filter((line) => line !== undefined),
		records: stepsFor(setup).reduce((sum, { records }) => sum + records(setup), 0),
	};
}

/**
 * Asks the service one question after the other.
 *
 * @param begins is called with the title of each question, and how many there are
 * @param asked the questions; by default, all that the setup wants
 */
export async function runCheck(
	check: Check,
	begins: (title: string, index: number, count: number) => void = () => {},
	asked = stepsFor(check.setup),
): Promise<void> {
	for (const [index, { title, run }] of asked.entries()) {
		begins(title, index + 1, asked.length);
		check.begin(title);
		await run(check);
		if (check.stopped) return;
	}
}
