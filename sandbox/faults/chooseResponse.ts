import type { FaultSettings } from './settings';
import type { FaultName, FaultyAnswer } from './types';

/** These spoil the right answer, so the request is carried out first. */
const AFTER: FaultName[] = [
	'dropAfter',
	'hangAfter',
	'halfBody',
	'emptyBody',
	'notJson',
	'wrongContentType',
	'brokenGzip',
];

export const isAfterwards = ({ fault, processed }: FaultyAnswer) =>
	processed ?? (fault !== undefined && AFTER.includes(fault));

const changesTheAnswer = ({ fault, status }: FaultyAnswer) =>
	fault !== undefined || status !== undefined;

/**
 * What the next request gets instead of the right answer, or undefined. First comes what was asked for exactly, then one lot
 * is drawn for all shares together, so that each of them is met and none hides another.
 */
export function chooseAnswer(
	settings: FaultSettings,
	on: 'transactions' | 'token',
): FaultyAnswer | undefined {
	const { next, token, resetConnections, statuses, dropAnswers } = settings.current;
	const index = next.findIndex((entry) => (entry.on ?? 'transactions') === on);
	if (index >= 0) {
		const entry = next[index];
		if ((entry.times ?? 1) > 1) next[index] = { ...entry, times: entry.times! - 1 };
		else next.splice(index, 1);
		return entry;
	}
	if (on === 'token')
		return changesTheAnswer(token) || token.latencyMs !== undefined ? token : undefined;
	if (resetConnections + dropAnswers + statuses.length === 0) return undefined;
	let lot = settings.random();
	if ((lot -= resetConnections) < 0) return { fault: 'reset' };
	if ((lot -= dropAnswers) < 0) return { fault: 'dropAfter' };
	return statuses.find(({ share }) => (lot -= share) < 0);
}
