import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What was measured, kept with the other results of a run. */
const REPORT = join(__dirname, '..', '..', '.artefacts', 'queue.json');

export const readReport = (): Record<string, Record<string, unknown>> =>
	existsSync(REPORT)
		? (JSON.parse(readFileSync(REPORT, 'utf8')) as Record<string, Record<string, unknown>>)
		: {};

/** Prints the figures of one part, and puts them into the report in the place of its earlier ones. */
export function report(part: string, figures: Record<string, unknown>): void {
	mkdirSync(dirname(REPORT), { recursive: true });
	writeFileSync(REPORT, `${JSON.stringify({ ...readReport(), [part]: figures }, null, '\t')}\n`);
	process.stdout.write(`${part}: ${JSON.stringify(figures)}\n`);
}
