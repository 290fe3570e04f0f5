import { Check } from '../../check/Check';
import { terminalPage } from '../../check/report';
import { resultOf, type CheckResult } from '../../check/result';
import { runCheck } from '../../check/runCheck';
import { validatorOf } from '../../sandbox/contract';
import { pageFiles } from '../../sandbox/http/pageFiles';
import { buildServer } from '../../sandbox/http/server';
import { CheckedBehavior } from '../../sandbox/like/CheckedBehavior';
import { SandboxState } from '../../sandbox/state/sandboxState';
import type { CheckedService } from '../../sandbox/types';
import { rows } from '../support/builders/transactions';
import { PaymentsBench } from '../support/engine/payments';
import { CLIENT, lookUpIn, SERVICES, setupFor, startService, type Client } from './services';

/*
 * Services that answer differently. What each recorded is known, so a wrong "fits" is, too. The
 * sandbox then plays each of them, and every item of a workflow has the same outcome.
 */

/** Starts a sandbox, which answers like a checked service if there is one. */
async function startSandbox(client: Client, result?: CheckResult) {
	const state = new SandboxState(1);
	state.clients.create(client);
	if (result) {
		// As the file has it.
		const checked = JSON.parse(JSON.stringify(result)) as CheckedService;
		const validate = validatorOf('CheckedService');
		expect([validate(checked), validate.errors]).toEqual([true, null]);
		state.like = new CheckedBehavior(checked);
	}
	// Its first compilation takes longer than Fastify waits, if the processor is busy.
	await pageFiles();
	const app = await buildServer(state, { host: '127.0.0.1' });
	return { app, url: await app.listen({ host: '127.0.0.1', port: 0 }) };
}

const wait = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

/**
 * What the node says of new payments, of the same again with one that has another amount, and of
 * the same once more, each after a wait.
 */
async function outcomesAt(url: string, credential: object, waitMs: number): Promise<unknown[]> {
	const bench = await PaymentsBench.start();
	await bench.seed({ authUrl: url, baseUrl: url, ...credential });
	const first = rows(4, (index) => ({ eventId: `event-${index}` }));
	const again = first.map((row, index) => (index === 3 ? { ...row, amount: '99.00' } : row));
	const outcomes: unknown[] = [];
	for (const items of [first, again, first]) {
		if (outcomes.length > 0) await wait(waitMs);
		const { json, error } = await bench.run(
			items,
			{ specifyTransaction: 'item', options: { maxRetryTime: 5 } },
			{ onError: 'continueRegularOutput' },
		);
		expect(error).toBeUndefined();
		outcomes.push(json.map(({ outcome, message }) => [outcome, message]));
	}
	return outcomes;
}

/** Runs the same workflow against a service and against the sandbox that plays it. */
async function expectSameOutcomes(check: Check, url: string, client: Client, waitMs = 0) {
	const played = await startSandbox(client, resultOf({ check }));
	const { recordedCodes } = check.service.credential;
	const credential = { ...client, recordedCodes };
	const [real, like] = await Promise.all([
		outcomesAt(url, credential, waitMs),
		outcomesAt(played.url, credential, waitMs),
	]);
	await played.app.close();
	expect(like).toEqual(real);
}

describe('a service that answers in its own way', () => {
	test.concurrent.each(SERVICES)(
		'$name: $verdict',
		async ({ behavior, verdict, withoutLook = verdict, settings = [], remembersMs }) => {
			const service = await startService(behavior);
			const waitMs = (remembersMs ?? 0) + 1000;
			const setup = setupFor(service.url, { waitMs });
			const check = new Check(setup);
			await runCheck(check);
			const looked = resultOf({ check, lookedUp: lookUpIn(service) });
			const named = looked.verdict.settings.map(({ field, value }) => `${field}: ${value}`);
			expect([looked.verdict.name, named]).toEqual([
				verdict,
				settings.map((one): unknown => expect.stringContaining(one)),
			]);
			const isFit = verdict === 'fits' || verdict === 'fitsIfSet';
			expect(looked.verdict.notKnown).toHaveLength(isFit ? 1 : 0);
			// What was looked up is recorded, and what wasn't is said to be possible.
			const kinds = looked.findings.map(({ kind }) => kind);
			expect(kinds).not.toContain('lookUp');
			const asked = resultOf({ check });
			expect(asked.verdict.name).toBe(withoutLook);
			const isOpen = asked.verdict.open.length > 0;
			expect(terminalPage(asked).includes('in a terminal')).toBe(isOpen);
			expect(terminalPage(looked).includes('Looked up, the service has it')).toBe(isOpen);
			await expectSameOutcomes(check, service.url, CLIENT, remembersMs && waitMs);
			await service.stop();
		},
		90_000,
	);
});

describe('a service that others made', () => {
	it('the sandbox: fits', async () => {
		const { app, url } = await startSandbox(CLIENT);
		const check = new Check(setupFor(url));
		await runCheck(check);
		expect(resultOf({ check }).verdict).toMatchObject({ name: 'fits', settings: [] });
		await expectSameOutcomes(check, url, CLIENT);
		await app.close();
	}, 60_000);
});
