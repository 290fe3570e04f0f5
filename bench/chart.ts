import type { Results } from './results';

const CONNECTIONS: Record<string, string> = {
	http: 'HTTP, same machine',
	https: 'HTTPS, same machine',
	'https-30ms': 'HTTPS, round trip of 30 ms',
	'https-100ms': 'HTTPS, round trip of 100 ms',
};
const [WIDTH, LEFT, RIGHT, LINE, BAR] = [760, 200, 70, 26, 18];

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

/** Draws the items per second as bars, readable on a light and on a dark page. */
export function drawChart({ connections, items, n8n, machine }: Results): string {
	let y = 16;
	const next = (height: number) => (y += height);
	const panels = connections.map((row) => {
		const bars: Array<[label: string, className: string, ms: number]> = [
			['Payments node', 'ours', row.laterMs],
			['HTTP Request node', 'theirs', row.httpRequestMs],
			['Kept connections', 'plain', row.keptConnectionsMs],
		];
		const fastest = Math.min(...bars.map(([, , ms]) => ms));
		const title = `<text class="title" x="16" y="${next(LINE)}">${CONNECTIONS[row.connection]}</text>`;
		const drawn = bars.map(([label, className, ms]) => {
			const top = next(LINE);
			const width = ((WIDTH - LEFT - RIGHT) * fastest) / ms;
			const perSecond = Math.round((items / ms) * 1000).toLocaleString('en');
			return `<text x="16" y="${top}">${label}</text><rect class="${className}" x="${LEFT}" y="${top - BAR + 4}" width="${width.toFixed(1)}" height="${BAR}" rx="2"/><text x="${(LEFT + width + 8).toFixed(1)}" y="${top}">${perSecond}</text>`;
		});
		next(LINE / 2);
		return [title, ...drawn].join('\n');
	});
	const note = `<text x="16" y="${next(LINE)}">Items per second, ${items} items, n8n ${n8n}, ${machine.cores} cores. Longer bars are faster.</text>`;
	const height = next(20);
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="Items per second of the Payments node, the HTTP Request node, and a program that keeps its connections open">
<style>${STYLE}
</style>
<rect class="ground" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="6"/>
${panels.join('\n')}
${note}
</svg>
`;
}
