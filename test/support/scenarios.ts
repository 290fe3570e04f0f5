import type { Scenario } from '../../sandbox/types';

/**
 * The events that a scenario brings, in their order: each event type with the status of what it's
 * about.
 */
export function eventsOf({ statuses }: Scenario): Array<[event: string, status: string]> {
	if (!statuses) return [];
	return [
		['PAYMENT.CREATED', 'CREATED'],
		...statuses.map((status): [string, string] => ['PAYMENT.STATUS_UPDATED', status]),
		...(statuses.includes('RETURNED') ? [['RETURN.CREATED', 'COMPLETED'] as [string, string]] : []),
	];
}
