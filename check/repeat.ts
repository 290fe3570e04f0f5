import { leavesOf } from './leaves';
import type { Exchange } from './ServiceUnderTest';

/** What the answer to a repeat says: another request with an Event ID that was sent before. */
export type RepeatMeaning =
	/** The service says that it has the Event ID. */
	| 'recognized'
	/** A success, and the service says that it is the answer to the first request. */
	| 'replayed'
	/** A success, and the service names another transaction. */
	| 'recordedAgain'
	/** A success that doesn't say which of both. */
	| 'notStated'
	/** A 409 without a reason. */
	| 'silent'
	/** The node reports it as rejected, or as unknown. */
	| 'rejected'
	| 'unknown'
	| 'noResponse';

/** Such as Stripe's `Idempotent-Replayed: true`. */
const REPLAYED = /^(x-)?idempoten(t|cy)-replay(ed)?$/i;

/** Whether a header says that it is the answer to an earlier request. */
export const isReplay = ({ answer }: Exchange): boolean =>
	Object.entries(answer?.headers ?? {}).some(
		([name, value]) => REPLAYED.test(name) && String(value).toLowerCase() === 'true',
	);

const wordsOf = (name: string): string[] =>
	name
		.replace(/([a-z\d])(?=[A-Z])/g, '$1 ')
		.toLowerCase()
		.split(/[^a-z\d]+/);

/** Words of a member that names a request, or what the client chose. */
const OTHER_IDS = /^(request|trace|correlation|span|event|external|client)$/;

/** Whether a member has the ID that the service gave a transaction: `id`, `transactionId`. */
function isTransactionId(path: string): boolean {
	const words = wordsOf(path.split('.').at(-1) ?? '');
	return /^(id|uuid)$/.test(words.at(-1) ?? '') && !words.some((word) => OTHER_IDS.test(word));
}

/** The values that the service gave a transaction, by their paths, without those that were sent. */
function assignedBy({ answer, transaction }: Exchange): Map<string, unknown> {
	const sent = new Set(leavesOf(transaction).values());
	const leaves = [...leavesOf(answer?.body)];
	return new Map(leaves.filter(([path, value]) => path !== '' && !sent.has(value)));
}

/**
 * Compares the answer to a repeat with that to the first request.
 *
 * @param other the answer to another transaction, to tell its ID from a constant
 */
export function compareIds(first: Exchange, repeat: Exchange, other: Exchange): RepeatMeaning {
	if (isReplay(repeat)) return 'replayed';
	const [ids, repeatedIds, otherIds] = [first, repeat, other].map(assignedBy);
	const paths = [...ids.keys()].filter((path) => isTransactionId(path) && repeatedIds.has(path));
	const isAssigned = (path: string) => otherIds.has(path) && otherIds.get(path) !== ids.get(path);
	if (paths.some((path) => isAssigned(path) && repeatedIds.get(path) === ids.get(path)))
		return 'replayed';
	return paths.some((path) => repeatedIds.get(path) !== ids.get(path))
		? 'recordedAgain'
		: 'notStated';
}

/** Says what the answer to a repeat means. A success alone says nothing: see `compareIds`. */
export function readRepeat({ attempt, answer }: Exchange): RepeatMeaning | 'success' {
	if (attempt.kind === 'recorded') return 'recognized';
	if (attempt.kind === 'created') return 'success';
	if (!answer) return 'noResponse';
	if (attempt.result.outcome === 'rejected') return 'rejected';
	const isSilent = answer.status === 409 && attempt.evidence === 'decision' && !attempt.retryable;
	return isSilent ? 'silent' : 'unknown';
}
