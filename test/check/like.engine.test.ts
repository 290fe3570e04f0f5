import type { FastifyInstance } from 'fastify';

import { Check } from '../../check/Check';
import { resultOf, type CheckResult } from '../../check/result';
import { runCheck } from '../../check/runCheck';
import { validatorOf } from '../../sandbox/contract';
import { buildServer } from '../../sandbox/http/server';
import { CheckedBehavior } from '../../sandbox/like/CheckedBehavior';
import { SandboxState } from '../../sandbox/state/sandboxState';
import { rows } from '../support/builders/transactions';
import { PaymentsBench } from '../support/engine/payments';
import { CLIENT, SERVICES, setupFor, startService } from './services';

/* The sandbox plays a service that was checked: each item of a workflow has the same outcome. */

let bench: PaymentsBench;
beforeAll(async () => {
	bench = await PaymentsBench.start();
});

/** Starts a sandbox that answers like a checked service. */
async function startLike(result: CheckResult): Promise<{ url: string; app: FastifyInstance }> {
	// As the file has it.
	const checked = JSON.parse(JSON.stringify(result)) as CheckResult;
	const validate = validatorOf('CheckedService');
	expect([validate(checked), validate.errors]).toEqual([true, null]);
	const state = new SandboxState(1);
	state.clients.create(CLIENT);
	state.like = new CheckedBehavior(checked as never);
	const app = await buildServer(state, { host: '127.0.0.1' });
	return { app, url: await app.listen({ host: '127.0.0.1', port: 0 }) };
}

const conflictWithoutReason = 'recorded';
const wait = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

/** New payments, the same again with one that has other content, and the same later. */
async function outcomesAt(url: string, credential: object): Promise<unknown[]> {
	await bench.seed({ authUrl: url, baseUrl: url, ...CLIENT, ...credential });
	const first = rows(4, (index) => ({ eventId: `event-${index}` }));
	const again = first.map((row, index) => (index === 3 ? { ...row, amount: '99.00' } : row));
	const outcomes: unknown[] = [];
	for (const [items, waitMs] of [
		[first, 0],
		[again, 0],
		[first, 2500],
	] as const) {
		await wait(waitMs);
		const { json, error } = await bench.run(
			[...items],
			{
				specifyTransaction: 'item',
				simplify: false,
				options: { maxRetryTime: 5 },
			},
			{ onError: 'continueRegularOutput' },
		);
		expect(error).toBeUndefined();
		outcomes.push(json.map(({ outcome, message }) => [outcome, message]));
	}
	return outcomes;
}

test.each(SERVICES)(
	'$name',
	async ({ behavior }) => {
		const service = await startService(behavior);
		const check = new Check(setupFor(service.url));
		await runCheck(check);
		const result = resultOf({ check });
		const played = await startLike(result);
		const isSilent = check.service.credential.conflictWithoutReason === conflictWithoutReason;
		const credential = isSilent ? { conflictWithoutReason } : {};
		const real = await outcomesAt(service.url, credential);
		const like = await outcomesAt(played.url, credential);
		await Promise.all([service.stop(), played.app.close()]);
		expect(like).toEqual(real);
	},
	90_000,
);
