import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The measurements, kept with the logs and screenshots. */
const REPORT = join(__dirname, '..', '..', '.artifacts', 'queue.json');

export const readReport = (): Record<string, Record<string, unknown>> =>
	existsSync(REPORT)
		? (JSON.parse(readFileSync(REPORT, 'utf8')) as Record<string, Record<string, unknown>>)
		: {};

/** Prints the figures of one part, and replaces them in the report. */
export function report(part: string, figures: Record<string, unknown>): void {
	mkdirSync(dirname(REPORT), { recursive: true });
	writeFileSync(REPORT, `${JSON.stringify({ ...readReport(), [part]: figures }, null, '\t')}\n`);
	process.stdout.write(`${part}: ${JSON.stringify(figures)}\n`);
}
