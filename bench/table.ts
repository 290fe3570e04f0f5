import { plainTable } from '../host/plainTable';
import type { Load } from './load';
import { median, round } from './numbers';
import { itemsPerSecond, type Results } from './results';

type Cell = string | number | undefined;

/** Lays out a table for a terminal; columns without text are aligned to the right. */
function layOut(head: string[], rows: Cell[][]): string {
	const isNumeric = head.map((_, column) => rows.every((row) => typeof row[column] !== 'string'));
	return plainTable(
		head,
		isNumeric.map((numeric) => (numeric ? 'right' : 'left')),
		rows.map((row) => row.map((cell) => cell ?? '')),
	);
}

const describeLoad = (load: Load) =>
	'connections' in load
		? `${load.connections} connections, flat out`
		: `${load.perSecond} per second`;

function describeResult({ reached }: { reached?: boolean }): string {
	if (reached === undefined) return 'not measured';
	return reached ? 'reached' : 'NOT REACHED';
}

/** Everything that was measured, to be read in a terminal. */
export function describe({
	machine,
	versions,
	series,
	rows,
	connectionRows,
	connectionSeries,
	scaling,
	memory,
	tokens,
	triggerRows,
	trigger,
	targets,
}: Results): string {
	const { cpu, cores, memoryGiB, loadAtStart } = machine;
	const speeds = layOut(
		['subject', 'items', 'latency ms', 'items/s', 'rounds', 'most in flight'],
		series.map((one) => [
			one.subject,
			one.items,
			one.latencyMs,
			round(itemsPerSecond(one)),
			one.ms.length,
			one.maxInFlight,
		]),
	);
	const ratios = layOut(
		['ours', 'against', 'items', 'latency ms', 'times as fast'],
		rows.map((row) => [row.ours, row.against, row.items, row.latencyMs, row.ratio]),
	);
	const overConnections = layOut(
		['subject', 'items', 'connection', 'service', 'ms', 'created', 'rejected', ''],
		connectionSeries.map((one) => [
			one.subject,
			one.items,
			one.connection,
			one.service,
			one.ms.length > 0 ? Math.round(median(one.ms)) : undefined,
			one.created,
			one.rejected,
			one.failed ?? '',
		]),
	);
	const connectionRatios = layOut(
		['ours', 'against', 'items', 'connection', 'service', 'settings', 'times as fast'],
		connectionRows.map((row) => [
			row.ours,
			row.against,
			row.items,
			row.connection,
			row.service,
			row.settings,
			row.ratio,
		]),
	);
	const deliveries = layOut(
		[
			'receiver',
			'settings of n8n',
			'load',
			'sent',
			'accepted',
			'per s',
			'executed per s',
			'p50 ms',
			'p99 ms',
		],
		trigger.map((one) => [
			one.receiver,
			one.settings,
			describeLoad(one.load),
			one.sent,
			one.accepted,
			round(one.acceptedPerSecond),
			round(one.executedPerSecond),
			round(one.p50),
			round(one.p99),
		]),
	);
	const receiverRatios = layOut(
		['ours', 'against', 'settings of n8n', 'per s', 'per s', 'times as fast'],
		triggerRows.map((row) => [
			row.ours,
			row.against,
			row.settings,
			row.oursPerSecond,
			row.againstPerSecond,
			row.ratio,
		]),
	);
	const sections: Array<[string, string]> = [
		['Items per second (medians)', speeds],
		['Ours against theirs', ratios],
		['Over each connection (medians)', overConnections],
		['Ours against theirs, over each connection', connectionRatios],
		[
			'Time for one item in 10,000 as parts of that in 1,000',
			layOut(
				['subject', 'latency ms', 'ratio'],
				scaling.map((one) => [one.subject, one.latencyMs, one.ratio]),
			),
		],
		[
			'Peak memory of n8n, in a process of its own each',
			layOut(
				['subject', 'items', 'before MiB', 'peak MiB'],
				memory.map((one) => [one.subject, one.items, one.beforeMiB, one.peakMiB]),
			),
		],
		[
			'A run that starts with an expired token',
			layOut(
				['subject', 'items', 'token requests', 'rejected', 'most in flight'],
				tokens.map((one) => [
					one.subject,
					one.items,
					one.tokenRequests,
					one.rejected,
					one.maxInFlight,
				]),
			),
		],
		['Webhook deliveries (medians)', deliveries],
		['Deliveries accepted per second, 20 connections', receiverRatios],
		[
			'Targets',
			layOut(
				['what', 'target', 'figure', ''],
				targets.map((one) => [one.what, one.target, one.figure, describeResult(one)]),
			),
		],
	];
	const head = `${cpu}, ${cores} cores, ${memoryGiB} GiB, load ${loadAtStart} at the start; ${Object.entries(
		versions,
	)
		.map(([name, version]) => `${name} ${version}`)
		.join(', ')}`;
	return [head, ...sections.map(([title, body]) => `${title}\n${body}`)].join('\n\n');
}
