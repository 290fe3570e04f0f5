/** What a measurement has found. */
export interface Figures {
	/** The name of their place in bench/README.md. */
	section: string;
	/** As they stand there. */
	text: string;
	/** Whether they are as they must be: a line for each, as it's printed. */
	verdicts: string[];
}

/** Says what is done now. */
export type Tell = (line: string) => void;

/** The middle one of an odd count. */
export const median = (values: number[]): number =>
	[...values].sort((a, b) => a - b)[values.length >> 1];

export const inMs = (value: number) => `${Math.round(value).toLocaleString('en')} ms`;

const row = (cells: Array<string | number>) => `| ${cells.join(' | ')} |`;

/** Makes a table of the first row, which is its head, and the others. */
export const table = ([head, ...rows]: Array<Array<string | number>>) =>
	[row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

const verdict = (what: string, value: number, must: string, isReached: boolean) =>
	`${isReached ? 'reached    ' : 'NOT REACHED'}  ${what}: ${value.toFixed(2)}, must be ${must}`;

export const atLeast = (what: string, value: number, limit: number) =>
	verdict(what, value, `at least ${limit}`, value >= limit);

export const atMost = (what: string, value: number, limit: number) =>
	verdict(what, value, `at most ${limit}`, value <= limit);

const SECTION = /(<!-- figures: (\w+) -->\n)[^]*?(<!-- \/figures -->)/g;

/** Returns bench/README.md with these figures. */
export const withFigures = (page: string, figures: Figures[]): string =>
	page.replace(SECTION, (old: string, start: string, name: string, end: string) => {
		const found = figures.find(({ section }) => section === name);
		return found ? `${start}\n${found.text}\n\n${end}` : old;
	});
