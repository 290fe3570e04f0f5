import results from '../../bench/results.json';
import { read } from '../support/sourceTexts';

/* The figures in docs/performance.md are those in bench/results.json. */

const page = read('docs/performance.md');

const cells = (line: string) =>
	line
		.slice(1, -1)
		.split('|')
		.map((cell) => cell.trim().replaceAll('*', ''));

/** The rows below the header line that begins with this text. */
const rowsBelow = (header: string) =>
	page
		.split(`\n| ${header}`)[1]
		.split('\n\n')[0]
		.split('\n')
		.slice(2)
		.map((line) => cells(line));

const median = (values: number[]) =>
	[...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** As a page writes it: "1,848 ms". */
const inMilliseconds = (text: string) => Number(text.replace(/,|ms/g, ''));

const CONNECTIONS: Record<string, string> = {
	'HTTP on the same machine': 'http',
	'HTTPS on the same machine': 'https',
	'HTTPS, round trip of 30 ms': 'https-30ms',
	'HTTPS, round trip of 100 ms': 'https-100ms',
};

test.each(rowsBelow('Default settings |'))('%s', (what, ours, theirs, ratio) => {
	const [, count, connection] = /^([\d,]+) items, (.*)$/.exec(what)!;
	const items = Number(count.replace(',', ''));
	const measured = (subject: string) =>
		median(
			results.connectionSeries.find(
				(series) =>
					series.subject === subject &&
					series.items === items &&
					series.connection === CONNECTIONS[connection] &&
					series.service === 'usual',
			)!.ms,
		);
	const [node, httpRequest] = [measured('item-default'), measured('http-json')];
	expect([ours, theirs].map(inMilliseconds)).toEqual([node, httpRequest]);
	expect(Number(ratio)).toBeCloseTo(httpRequest / node, 1);
});

test.each(rowsBelow('Times as fast |'))('%s', (what, ...figures) => {
	const [ours, against] = what.split(' / ');
	const ratios = [0, 20].map(
		(latencyMs) =>
			results.rows.find(
				(row) =>
					row.ours === ours &&
					row.against === against &&
					row.items === 1000 &&
					row.latencyMs === latencyMs,
			)!.ratio,
	);
	figures.forEach((figure, index) => expect(Number(figure)).toBeCloseTo(ratios[index], 1));
});

test.each(rowsBelow("n8n's settings |"))('deliveries per second: %s', (settings, ...figures) => {
	const receivers = ['webhook', 'webhook-header-auth', 'webhook-crypto-if', 'payments-trigger'];
	const measured = receivers.map((receiver) =>
		results.trigger
			.find((row) => row.receiver === receiver && row.settings === settings.toLowerCase())!
			.acceptedPerSecond.toFixed(1),
	);
	expect(figures).toEqual(measured);
});

test('memory, the version of n8n, and the load', () => {
	for (const { peakMiB } of results.memory)
		expect(page).toContain(`${peakMiB.toLocaleString('en-US')} MiB`);
	expect(page).toContain(`n8n ${results.versions.n8n}`);
	expect(page).toContain(`The load was ${results.machine.loadAtStart}`);
});
