import { DateTime } from 'luxon';

import { codeOf } from '../../examples/jobs/source/workflow';

/* Runs the code of a Code node of the jobs as n8n does, without n8n. */

export type Json = Record<string, unknown>;

/**
 * The file in examples/jobs/source/code, and what other nodes gave; nodes that aren't named didn't
 * run.
 */
export function runCode(
	file: string,
	input: Json[],
	outputs: Record<string, Json[]> = {},
	now = '2026-12-01T06:00:00.000Z',
	fileName = 'a.csv',
): Json[] {
	const dataOf = (items: Json[] = []) => {
		const list = items.map((json) => ({ json, binary: { file: {}, File: { fileName } } }));
		return { all: () => list, first: () => list[0] };
	};
	const node = (name: string) => ({ ...dataOf(outputs[name]), isExecuted: name in outputs });
	// n8n runs the text of the parameter in the same way.
	// eslint-disable-next-line @typescript-eslint/no-implied-eval
	const run = new Function(...['$input', '$', 'DateTime', '$now', '$execution'], codeOf(file)) as (
		...args: unknown[]
	) => Array<{ json: Json }>;
	const items = run(dataOf(input), node, DateTime, DateTime.fromISO(now), { id: '51' });
	return items.map(({ json }) => json);
}
