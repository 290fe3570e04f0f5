import { failed, ok, type Result } from './result';
import { isObject, quote } from './values';

/** A parameter of the type `collection`, as messages name it. */
export interface Collection {
	displayName: string;
	/** What it has, such as "option". */
	member: string;
	/** The names that its members can have. */
	names: readonly string[];
}

/** The editor shows neither a member that it doesn't know nor an expression for a collection. */
const IN_JSON =
	"The editor doesn't show it: copy the node, correct it in a text editor, and paste the node. Nothing was sent.";

/**
 * Checks that a value is the collection, before its members are evaluated. A member that isn't
 * known must not be ignored.
 *
 * @returns the values as typed, by name
 */
export function checkCollection(
	given: unknown,
	{ displayName, member, names }: Collection,
): Result<Record<string, unknown>> {
	if (!isObject(given)) {
		const message = `'${displayName}' is ${quote(given)}, and not a collection`;
		return failed(message, `Give each ${member} its own value by its name. ${IN_JSON}`);
	}
	const unknown = Object.keys(given).find((name) => !names.includes(name));
	if (unknown === undefined) return ok(given);
	const message = `'${displayName}' has no ${member} ${quote(unknown)}`;
	return failed(message, `These exist: ${names.join(', ')}. ${IN_JSON}`);
}
