import type { INodeProperties } from 'n8n-workflow';

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
	"The editor doesn't show it: copy the node, correct it in a text editor, and paste the node.";

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

/**
 * Declares a collection, and a hidden parameter of the same name. Before the node runs, n8n drops
 * the members that a collection doesn't have, and all of it if it's one expression, so that they
 * would be ignored. The value of a parameter of another type stays as it is (n8n-workflow:
 * `getNodeParameters`), and is checked when it's read.
 */
export function collection(
	shown: Omit<INodeProperties, 'type' | 'default'>,
): [shown: INodeProperties, asStored: INodeProperties] {
	const { displayName, name, displayOptions } = shown;
	return [
		{ ...shown, type: 'collection', default: {} },
		{ displayName, name, displayOptions, type: 'hidden', default: {} },
	];
}
