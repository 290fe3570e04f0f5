import type { IExecuteFunctions } from 'n8n-workflow';

import { PaymentsApi } from '../../credentials/PaymentsApi.credentials';
import { failed, ok, type Result } from '../shared/result';
import { CREDENTIAL, type SharedCredential } from './sending/request';

/**
 * Reads the credential, with which all items are sent. A field of it can have an expression. If
 * that gives items different values, there is a problem: the client, the address, and the limits of
 * one would apply to the others.
 *
 * A read costs n8n more than a millisecond, so a credential that doesn't depend on the item is read
 * three times: for the first item, for the last one, and for one behind it that doesn't exist. If
 * these don't agree, all are read. What this doesn't find is an expression that gives the first and
 * the last item the value that it gives to no item, such as a default, and another one to an item
 * between them.
 *
 * @throws what n8n throws if it can't read the credential
 */
export async function readCredential(
	context: IExecuteFunctions,
): Promise<Result<SharedCredential>> {
	const count = context.getInputData().length;
	const read = async (itemIndex: number) =>
		await context.getCredentials<SharedCredential>(CREDENTIAL, itemIndex);
	const first = await read(0);
	if (count === 1) return ok(first);

	const last = await read(count - 1);
	const ofNoItem = await read(count).catch(() => undefined);
	if (ofNoItem && !findDifference(first, last) && !findDifference(first, ofNoItem))
		return ok(first);
	for (let itemIndex = 1; itemIndex < count; itemIndex++) {
		const field = findDifference(first, await read(itemIndex));
		if (field === undefined) continue;
		return failed(
			`The credential's '${displayNameOf(field)}' has an expression, which gives item 0 and item ${itemIndex} different values`,
			'Send the items of each value on their own, such as with a Loop Over Items node, or use a credential for each. Nothing was sent.',
		);
	}
	return ok(first);
}

/** Returns the name of a field that has another value. The token in use can change at any time. */
function findDifference(one: SharedCredential, other: SharedCredential): string | undefined {
	const names = new Set([...Object.keys(one), ...Object.keys(other)]);
	names.delete('accessToken');
	return [...names].find((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
}

const displayNameOf = (field: string): string =>
	new PaymentsApi().properties.find(({ name }) => name === field)?.displayName ?? field;
