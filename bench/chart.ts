import type { Connection } from './connection/connections';
import { median, round } from './numbers';
import { find, itemsPerSecond, type Results } from './results';
import { HTTP_NODE, OURS, type Subject } from './subjects';

/** What users get: the node as it comes, over the connections that they have. */
const BY_CONNECTION: ReadonlyArray<[Connection, string]> = [
	['https', 'HTTPS, same machine'],
	['https-30ms', 'HTTPS, round trip of 30 ms'],
	['https-100ms', 'HTTPS, round trip of 100 ms'],
];
const AS_IT_COMES: ReadonlyArray<[Subject, string]> = [
	['item-default', 'Payments: input item'],
	['http-json', 'HTTP Request: JSON'],
	['axios', 'axios, outside n8n'],
];
const LABELS: ReadonlyArray<[Subject, string]> = [
	['item', 'Payments: input item'],
	['dragged', 'Payments: 12 dragged fields'],
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

const classOf = (subject: Subject) =>
	subject === 'item-default' || (OURS as readonly Subject[]).includes(subject)
		? 'ours'
		: (HTTP_NODE as readonly Subject[]).includes(subject)
			? 'theirs'
			: 'plain';

interface Panel {
	title: string;
	bars: Array<{ subject: Subject; label: string; value: number }>;
}

function panelsOf({ series, connectionSeries }: Results, items: number): Panel[] {
	const count = `${items.toLocaleString('en')} items`;
	const overConnections = BY_CONNECTION.map(([connection, label]) => ({
		title: `Default settings, ${label}: items per second (${count})`,
		bars: AS_IT_COMES.flatMap(([subject, name]) => {
			const one = connectionSeries.find(
				(other) =>
					other.subject === subject &&
					other.connection === connection &&
					other.service === 'usual' &&
					other.items === items &&
					other.ms.length > 0,
			);
			return one ? [{ subject, label: name, value: (items / median(one.ms)) * 1000 }] : [];
		}),
	}));
	const overHttp = {
		title: `100 requests at a time, HTTP on the same machine: items per second (${count})`,
		bars: LABELS.flatMap(([subject, label]) => {
			const one = find(series, subject, items, 0);
			return one ? [{ subject, label, value: itemsPerSecond(one) }] : [];
		}),
	};
	return [...overConnections, overHttp].filter(({ bars }) => bars.length > 0);
}

/**
 * The items per second of every subject as bars, one picture that can be read on a light and on a
 * dark page.
 */
export function drawChart(results: Results, items: number): string {
	const { machine, versions } = results;
	const panels = panelsOf(results, items);
	let y = 16;
	const next = (height: number) => (y += height);
	const drawn = panels.map(({ title, bars }) => {
		const most = Math.max(...bars.map(({ value }) => value));
		const heading = `<text class="title" x="16" y="${next(LINE)}">${title}</text>`;
		const rows = bars.map(({ subject, label, value }) => {
			const top = next(LINE);
			const width = Math.max(1, ((WIDTH - LEFT - RIGHT) * value) / most).toFixed(1);
			return `<text x="16" y="${top}">${label}</text><rect class="${classOf(subject)}" x="${LEFT}" y="${top - BAR + 4}" width="${width}" height="${BAR}" rx="2"/><text x="${LEFT + Number(width) + 8}" y="${top}">${round(value).toLocaleString('en')}</text>`;
		});
		next(LINE / 2);
		return [heading, ...rows].join('\n');
	});
	const note = `<text x="16" y="${next(LINE)}">n8n ${versions.n8n}, ${machine.cores} cores; longer bars are faster</text>`;
	const height = next(20);
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="Items per second of the Payments node, the HTTP Request node and two programs outside n8n">
<style>${STYLE}
</style>
<rect class="ground" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="6"/>
${drawn.join('\n')}
${note}
</svg>
`;
}
