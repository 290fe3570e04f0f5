/** Prints the figures of one part. */
export function report(part: string, figures: Record<string, unknown>): void {
	process.stdout.write(`${part}: ${JSON.stringify(figures)}\n`);
}
