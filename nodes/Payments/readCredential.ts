import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { PaymentsApi } from '../../credentials/PaymentsApi.credentials';
import { failed, ok, type Result } from '../shared/result';

/** A read costs n8n more than a millisecond: it loads, decrypts, and evaluates the credential. */
const MAX_READS = 20;

/**
 * Reads the credential, with which all items are sent. A field of it can have an expression. If
 * that gives items different values, there is a problem: the client, the address, and the limits of
 * one would apply to the others.
 *
 * It's read for each of up to 20 items. Of a longer list, it's read for 20, and for an item that
 * doesn't exist. If that one differs, the credential depends on the item, so all are read. What
 * this doesn't find is an expression that gives only items between those 20 another value than it
 * gives to no item (docs/credentials.md, *Expressions*).
 *
 * @throws what n8n throws if it can't read the credential
 */
export async function readCredential(
	context: IExecuteFunctions,
): Promise<Result<ICredentialDataDecryptedObject>> {
	const count = context.getInputData().length;
	const read = async (itemIndex: number) =>
		await context.getCredentials<ICredentialDataDecryptedObject>('paymentsApi', itemIndex);
	const first = await read(0);
	let reads = count;
	if (count > MAX_READS) {
		const ofNoItem = await read(count).catch(() => ({}));
		if (findDifference(first, ofNoItem) === undefined) reads = MAX_READS;
	}
	const indexes = Array.from({ length: reads }, (_, n) =>
		Math.round((n * (count - 1)) / (reads - 1)),
	);
	for (let start = 1; start < reads; start += MAX_READS) {
		const batch = indexes.slice(start, start + MAX_READS);
		// Together, because each read waits for n8n's database.
		const others = await Promise.all(batch.map(read));
		for (const [n, other] of others.entries()) {
			const field = findDifference(first, other);
			if (field === undefined) continue;
			return failed(
				`The credential's '${displayNameOf(field)}' has an expression, which gives the first item and item ${batch[n] + 1} different values`,
				'Send the items of each value on their own, such as with a Loop Over Items node, or use a credential for each.',
			);
		}
	}
	return ok(first);
}

/** Returns the name of a field that has another value. The token in use can change at any time. */
function findDifference(
	one: ICredentialDataDecryptedObject,
	other: ICredentialDataDecryptedObject,
): string | undefined {
	const names = new Set([...Object.keys(one), ...Object.keys(other)]);
	names.delete('accessToken');
	return [...names].find((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
}

const displayNameOf = (field: string): string =>
	new PaymentsApi().properties.find(({ name }) => name === field)?.displayName ?? field;
