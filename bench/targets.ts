import type { ConnectionRow, ConnectionSeries } from './connectionSpeed';
import type { Connection } from './connection/connections';
import type { PeakMemory } from './memory';
import { median, round } from './numbers';
import type { Row, Scaling } from './results';
import type { Against, Ours } from './subjects';
import type { TokenUse } from './tokens';
import type { Receiver } from './receivers';
import type { TriggerRow, TriggerSettings } from './trigger';

/** Something that is to be shown, and what was measured. */
export interface Target {
	what: string;
	target: string;
	/** Absent: not measured in this run. */
	figure?: number | string;
	reached?: boolean;
}

/** At 1,000 items: at least so many times as fast, at a service that answers after 0 and after 20 ms. */
const SPEED: Array<[ours: Ours, against: Against, at0: number, at20: number]> = [
	['item', 'http-template', 9, 6],
	['dragged', 'http-template', 7, 5],
	['expressions', 'http-template', 1.5, 1.5],
	['json', 'http-json', 3, 3],
	['item', 'axios', 0.8, 0.8],
];

/** With the node's own settings: at least so many times as fast, by connection and number of items. */
const DEFAULTS: Array<{
	against: string;
	items: number;
	connection: Connection;
	service?: ConnectionSeries['service'];
	ratio: number;
}> = [
	{ against: 'http-json', items: 1000, connection: 'https-30ms', ratio: 2 },
	{ against: 'http-json', items: 1000, connection: 'https-100ms', ratio: 1.5 },
	{ against: 'http-json', items: 1000, connection: 'https', ratio: 3 },
	{ against: 'http-template', items: 1000, connection: 'http', ratio: 7 },
	{ against: 'best fixed number', items: 1000, connection: 'https-30ms', ratio: 0.85 },
	{ against: 'best fixed number', items: 10_000, connection: 'https-30ms', ratio: 0.85 },
	{ against: 'http-json', items: 10, connection: 'https-30ms', ratio: 1 },
	{
		against: 'best fixed number',
		items: 1000,
		connection: 'http',
		service: 'slowdown',
		ratio: 0.9,
	},
];

/** Deliveries accepted per second by the trigger: at least so many times as many as by another receiver. */
const RECEIVERS: Array<[against: Receiver, settings: TriggerSettings, ratio: number]> = [
	['webhook-header-auth', 'default', 1],
	['webhook-header-auth', 'recommended', 1],
	['webhook-crypto-if', 'default', 0.65],
	['webhook-crypto-if', 'recommended', 3],
];

/** A service that takes 50 requests per second: at most so much of the ideal time, and so many of the requests rejected. */
const RATE_LIMIT = { perSecond: 50, ofIdealTime: 1.15, rejected: 0.05 };

const atLeast = (what: string, limit: number, figure: number | undefined): Target => ({
	what,
	target: `at least ${limit}`,
	...(figure !== undefined && { figure, reached: figure >= limit }),
});

const atMost = (what: string, limit: number, figure: number | undefined): Target => ({
	what,
	target: `at most ${limit}`,
	...(figure !== undefined && { figure, reached: figure <= limit }),
});

/** Compares the figures with the targets; `items` is the number of items at which the speed is compared, 1,000 in a full run. */
export function evaluateTargets({
	rows,
	connectionRows,
	connectionSeries,
	scaling,
	memory,
	tokens,
	triggerRows,
	items,
}: {
	rows: Row[];
	connectionRows: ConnectionRow[];
	connectionSeries: ConnectionSeries[];
	scaling: Scaling[];
	memory: PeakMemory[];
	tokens: TokenUse[];
	triggerRows: TriggerRow[];
	items: number;
}): Target[] {
	const ratio = (ours: Ours, against: Against, latencyMs: number) =>
		rows.find(
			(row) =>
				row.ours === ours &&
				row.against === against &&
				row.items === items &&
				row.latencyMs === latencyMs,
		)?.ratio;
	const speed = SPEED.flatMap(([ours, against, at0, at20]) =>
		[
			[0, at0],
			[20, at20],
		].map(([latencyMs, limit]) =>
			atLeast(
				`${ours}, times as fast as ${against}, ${items} items, service at ${latencyMs} ms`,
				limit,
				ratio(ours, against, latencyMs),
			),
		),
	);
	const growth = scaling.find(
		({ subject, latencyMs }) => subject === 'item' && latencyMs === 0,
	)?.ratio;
	const peak = (wanted: string) => memory.find(({ subject }) => subject === wanted)?.peakMiB;
	const [ours, theirs] = [peak('item'), peak('http-template')];
	const expired = tokens.find(({ subject }) => subject === 'item');
	const defaults = DEFAULTS.map(
		({ against, items: count, connection, service = 'usual', ratio: limit }) =>
			atLeast(
				`item with default settings, times as fast as ${against}, ${count} items, ${connection}, service: ${service}`,
				limit,
				connectionRows.find(
					(row) =>
						row.settings === 'default' &&
						row.against.startsWith(against) &&
						row.items === count &&
						row.connection === connection &&
						row.service === service,
				)?.ratio,
			),
	);
	const receivers = RECEIVERS.map(([against, settings, limit]) =>
		atLeast(
			`payments-trigger, deliveries per second as a multiple of ${against}, n8n's settings: ${settings}`,
			limit,
			triggerRows.find((row) => row.against === against && row.settings === settings)?.ratio,
		),
	);
	return [
		...speed,
		...defaults,
		...rateLimitTargets(connectionSeries),
		...receivers,
		atMost(
			'item, time for one item in 10,000 as parts of that in 1,000, service at 0 ms',
			1.15,
			growth,
		),
		atMost(
			'item, peak memory of n8n at 10,000 items as parts of that with http-template',
			0.8,
			ours && theirs && round(ours / theirs),
		),
		atMost('item, token requests when the token has expired', 1, expired?.tokenRequests),
		atMost('item, requests rejected when the token has expired', 1, expired?.rejected),
	];
}

function rateLimitTargets(series: readonly ConnectionSeries[]): Target[] {
	const ours = series.find(
		({ subject, service, ms }) =>
			subject === 'item-default' && service === 'rate limit' && ms.length > 0,
	);
	const ideal = ours && (ours.items / RATE_LIMIT.perSecond) * 1000;
	const about = `item with default settings, service that takes ${RATE_LIMIT.perSecond} requests per second`;
	return [
		atMost(
			`${about}: time as a multiple of the ideal`,
			RATE_LIMIT.ofIdealTime,
			ours && ideal ? round(median(ours.ms) / ideal) : undefined,
		),
		atMost(
			`${about}: part of the requests that is rejected`,
			RATE_LIMIT.rejected,
			ours && round(ours.rejected / (ours.items + ours.rejected)),
		),
	];
}
