import type { ConnectionRow, ConnectionSeries } from './connectionSpeed';
import type { Connection } from './connection/connections';
import type { PeakMemory } from './memory';
import { median, round } from './numbers';
import type { Row, Scaling } from './results';
import { PARALLEL, RATE_PER_SECOND, type Against, type Ours, type Subject } from './subjects';
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

/**
 * At 1,000 items: at least so many times as fast, at a service that answers after 0 and after 20
 * ms.
 */
const SPEED: Array<[ours: Ours, against: Against, at0: number, at20: number]> = [
	['item', 'http-template', 9, 6],
	['dragged', 'http-template', 7, 5],
	['expressions', 'http-template', 1.5, 1.5],
	['item', 'http-json', 3, 3],
	['item', 'axios', 0.8, 0.8],
];

/**
 * With the node's own settings: at least so many times as fast, by connection and number of items.
 */
const DEFAULTS: Array<{
	against: string;
	items: number;
	connection: Connection;
	service?: ConnectionSeries['service'];
	/** The first execution at a service, or the one after it. */
	settings?: ConnectionRow['settings'];
	ratio: number;
}> = [
	{ against: 'http-json', items: 1000, connection: 'https-30ms', ratio: 2.5 },
	{ against: 'http-json', items: 1000, connection: 'https-100ms', ratio: 1.7 },
	{ against: 'http-json', items: 1000, connection: 'https', ratio: 3 },
	{ against: 'http-template', items: 1000, connection: 'http', ratio: 7 },
	{ against: 'best fixed number', items: 1000, connection: 'https-30ms', ratio: 0.85 },
	{ against: 'best fixed number', items: 10_000, connection: 'https-30ms', ratio: 0.85 },
	{ against: 'http-json', items: 10, connection: 'https-30ms', ratio: 1.1 },
	{ against: 'http-json', items: 100, connection: 'https-30ms', ratio: 1.1 },
	{ against: 'http-json', items: 100, connection: 'https-100ms', settings: 'next', ratio: 1 },
	{
		against: 'best fixed number',
		items: 1000,
		connection: 'http',
		service: 'slowdown',
		ratio: 0.9,
	},
];

/**
 * Deliveries accepted per second by the trigger: at least so many times as many as by another
 * receiver.
 */
const RECEIVERS: Array<[against: Receiver, settings: TriggerSettings, ratio: number]> = [
	['webhook-header-auth', 'default', 1],
	['webhook-header-auth', 'recommended', 1],
	['webhook-crypto-if', 'default', 0.65],
	['webhook-crypto-if', 'recommended', 3],
];

/**
 * A service with a rate limit: at most so much of the ideal time, and so many of the requests
 * rejected.
 */
const RATE_LIMIT: Array<{ subject: Subject; ofIdealTime?: number; rejected: number }> = [
	{ subject: 'item-default', ofIdealTime: 1.25, rejected: 0.06 },
	{ subject: 'item-next', ofIdealTime: 1.1, rejected: 0.01 },
	{ subject: 'item-per-second', rejected: 0 },
];

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

/**
 * Compares the figures with the targets; `items` is the number of items at which the speed is
 * compared, 1,000 in a full run.
 */
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
		({
			against,
			items: count,
			connection,
			service = 'usual',
			settings = 'default',
			ratio: limit,
		}) =>
			atLeast(
				`item with default settings, ${settings === 'next' ? 'next' : 'first'} execution, times as fast as ${against}, ${count} items, ${connection}, service: ${service}`,
				limit,
				connectionRows.find(
					(row) =>
						row.settings === settings &&
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
		// As many as are in flight when the service revokes the token.
		atMost('item, requests rejected when the token is revoked', PARALLEL, expired?.rejected),
	];
}

function rateLimitTargets(series: readonly ConnectionSeries[]): Target[] {
	return RATE_LIMIT.flatMap(({ subject, ofIdealTime, rejected }) => {
		const ours = series.find(
			(one) => one.subject === subject && one.service === 'rate limit' && one.ms.length > 0,
		);
		const about = `${subject}, service that takes ${RATE_PER_SECOND} requests per second`;
		const idealMs = ours && (ours.items / RATE_PER_SECOND) * 1000;
		const time = ours && idealMs ? round(median(ours.ms) / idealMs) : undefined;
		const part = ours && round(ours.rejected / (ours.items + ours.rejected));
		return [
			...(ofIdealTime === undefined
				? []
				: [atMost(`${about}: time as a multiple of the ideal`, ofIdealTime, time)]),
			atMost(`${about}: part of the requests that is rejected`, rejected, part),
		];
	});
}
