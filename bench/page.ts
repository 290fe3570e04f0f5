import type { Results } from './results';

/* The figures of docs/performance.md, which a run of the benchmark writes there. */

const MARK = /(<!-- figures: (\w+) -->\n)[^]*?(<!-- \/figures -->)/g;

const CONNECTIONS: Record<string, string> = {
	http: 'HTTP, same machine',
	https: 'HTTPS, same machine',
	'https-30ms': 'HTTPS, round trip of 30 ms',
	'https-100ms': 'HTTPS, round trip of 100 ms',
};

const RECEIVERS: Record<string, string> = {
	'payments-trigger': 'Payments Trigger',
	webhook: 'Webhook, which verifies nothing',
	'webhook-header-auth': 'Webhook with Header Auth',
};

const ms = (value: number) => `${Math.round(value).toLocaleString('en')} ms`;
const row = (cells: Array<string | number>) => `| ${cells.join(' | ')} |`;
const table = (head: string[], rows: Array<Array<string | number>>) =>
	[row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

const SECTIONS: Record<string, (results: Results) => string> = {
	conditions: ({ date, n8n, cores, loadAtStart, rounds }) =>
		`Measured on ${date} with n8n ${n8n} on a machine with ${cores} cores, on which the sandbox and n8n ran together. ` +
		`Medians of ${rounds}. The load was ${loadAtStart} when the measurement began.`,

	sending: ({ connections, items }) =>
		table(
			[
				`${items} items over`,
				'Payments node, first execution',
				'Later ones',
				'HTTP Request node',
				'Times as fast as HTTP Request',
			],
			connections.map(({ connection, firstMs, laterMs, httpRequestMs }) => [
				CONNECTIONS[connection],
				...[firstMs, laterMs, httpRequestMs].map(ms),
				(httpRequestMs / laterMs).toFixed(1),
			]),
		),

	rate: ({ rateLimit, items }) =>
		table(
			[`${items} items, ${rateLimit.perSecond} requests per second`, 'Time', 'Requests with 429'],
			[
				['Default settings', ms(rateLimit.defaultMs), rateLimit.defaultRejected],
				[
					'**Max Requests per Second** set',
					ms(rateLimit.withOptionMs),
					rateLimit.withOptionRejected,
				],
			],
		),

	memory: ({ memory }) =>
		table(
			['', 'Time', 'Most memory of n8n'],
			memory.map(({ subject, items, ms: time, peakMiB }) => [
				`${items.toLocaleString('en')} items with the ${subject === 'payments' ? 'Payments' : 'HTTP Request'} node`,
				`${Math.round(time / 1000)} s`,
				`${peakMiB.toLocaleString('en')} MiB`,
			]),
		),

	trigger: ({ trigger }) =>
		table(
			['Deliveries accepted per second', 'n8n as it comes', 'With the recommended settings'],
			Object.entries(RECEIVERS).map(([receiver, name]) => [
				name,
				...(['default', 'recommended'] as const).map(
					(settings) =>
						trigger.find((one) => one.receiver === receiver && one.settings === settings)
							?.perSecond ?? '',
				),
			]),
		),
};

/** The figures of a run as they stand in the page. */
export const figures = (results: Results): string =>
	Object.values(SECTIONS)
		.map((section) => section(results))
		.join('\n\n');

/** Returns the page with the figures of a run in it. */
export const withFigures = (page: string, results: Results): string =>
	page.replace(
		MARK,
		(_, start: string, name: string, end: string) =>
			`${start}\n${SECTIONS[name](results)}\n\n${end}`,
	);
