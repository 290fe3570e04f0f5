import { round } from './numbers';
import { find, itemsPerSecond, type Results } from './results';
import { HTTP_NODE, OURS, type Subject } from './subjects';

const LABELS: Array<[Subject, string]> = [
	['item', 'Payments: input item'],
	['dragged', 'Payments: 12 dragged fields'],
	['json', 'Payments: JSON'],
	['expressions', 'Payments: 12 expressions'],
	['http-json', 'HTTP Request: JSON'],
	['http-template', 'HTTP Request: JSON template'],
	['http-keyvalue', 'HTTP Request: key and value'],
	['axios', 'axios, outside n8n'],
	['undici', 'undici, outside n8n'],
];
const [WIDTH, LEFT, RIGHT, LINE, BAR] = [760, 220, 70, 26, 18];

const STYLE = `
	text { font: 13px system-ui, sans-serif; fill: #1f2328 }
	.title { font-weight: 600 }
	.ground { fill: #ffffff; stroke: #d1d9e0 }
	.ours { fill: #0969da } .theirs { fill: #8c959f } .plain { fill: #d0d7de }
	@media (prefers-color-scheme: dark) {
		text { fill: #f0f6fc }
		.ground { fill: #0d1117; stroke: #3d444d }
		.ours { fill: #4493f8 } .theirs { fill: #7d8590 } .plain { fill: #3d444d }
	}`;

const kindOf = (subject: Subject) =>
	(OURS as readonly Subject[]).includes(subject)
		? 'ours'
		: (HTTP_NODE as readonly Subject[]).includes(subject)
			? 'theirs'
			: 'plain';

/** The items per second of every subject as bars, one picture that can be read on a light and on a dark page. */
export function drawChart(
	{ series, machine, versions }: Results,
	items: number,
	latencies: number[],
): string {
	const bars = latencies.map((latencyMs) =>
		LABELS.flatMap(([subject, label]) => {
			const one = find(series, subject, items, latencyMs);
			return one ? [{ subject, label, value: itemsPerSecond(one) }] : [];
		}),
	);
	const most = Math.max(...bars.flat().map(({ value }) => value));
	let y = 16;
	const next = (height: number) => (y += height);
	const panels = latencies.map((latencyMs, place) => {
		const title = `<text class="title" x="16" y="${next(LINE)}">${items.toLocaleString('en')} items, service answers after ${latencyMs} ms: items per second</text>`;
		const rows = bars[place].map(({ subject, label, value }) => {
			const top = next(LINE);
			const width = Math.max(1, ((WIDTH - LEFT - RIGHT) * value) / most).toFixed(1);
			return `<text x="16" y="${top}">${label}</text><rect class="${kindOf(subject)}" x="${LEFT}" y="${top - BAR + 4}" width="${width}" height="${BAR}" rx="2"/><text x="${LEFT + Number(width) + 8}" y="${top}">${round(value).toLocaleString('en')}</text>`;
		});
		next(LINE / 2);
		return [title, ...rows].join('\n');
	});
	const note = `<text x="16" y="${next(LINE)}">n8n ${versions.n8n}, ${machine.cores} cores; higher is better</text>`;
	const height = next(20);
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="Items per second of the Payments node, the HTTP Request node and two programs outside n8n">
<style>${STYLE}
</style>
<rect class="ground" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="6"/>
${panels.join('\n')}
${note}
</svg>
`;
}
