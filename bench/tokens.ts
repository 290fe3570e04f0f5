import type { Rig } from './rig';
import type { NodeSubject } from './subjects';

/**
 * How a run of a node that starts with an expired token came to a new one, as the service counts
 * it.
 */
export interface TokenUse {
	subject: NodeSubject;
	items: number;
	/** Tokens that the service was asked for. */
	tokenRequests: number;
	/** Requests that it rejected because of the old token. */
	rejected: number;
	maxInFlight: number;
}

/**
 * The service answers after 20 ms, so that many requests are under way before the first one comes
 * back rejected.
 */
const LATENCY_MS = 20;

export async function measureTokens(
	rig: Rig,
	subject: NodeSubject,
	items: number,
): Promise<TokenUse> {
	await rig.measure(subject, 1, {});
	await rig.prepare({ latencyMs: LATENCY_MS, expireTokens: true });
	await rig.run(subject, items);
	const { tokens, transactions } = await rig.check(subject, items);
	return {
		subject,
		items,
		tokenRequests: tokens.requests,
		rejected: transactions.unauthorized,
		maxInFlight: transactions.maxInFlight,
	};
}
