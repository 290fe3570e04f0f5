import { Check } from '../../check/Check';
import { runCheck } from '../../check/runCheck';
import { later } from '../../check/steps/later';
import { token } from '../../check/steps/token';
import { one, sameAgain } from '../../check/steps/transactions';
import { setupFor, startService } from './services';

test('a service that was seen to forget an Event ID is not measured anew, which takes as long', async () => {
	const service = await startService({
		repeated: ({ at }) => (Date.now() - at > 1500 ? 'recordAgain' : { status: 409 }),
	});
	const check = new Check(setupFor(service.url, { waitMs: 2000 }));
	await runCheck(check, undefined, [token, one, sameAgain, later]);
	await service.stop();
	const findings = check.findings.map(({ finding: { kind, text } }) => `${kind}: ${text}`);
	expect(findings.at(-1)).toMatch(/^doesntFit: it forgets an Event ID\. 2 s after/);
	expect(check.seen.forgetsAfterMs).toBeGreaterThanOrEqual(1000);
	expect(check.seen.forgetsAfterMs).toBeLessThan(1500);
	// The first transaction, and the one that tells the ID of a repeat from others.
	expect(service.recorded.size).toBe(2);
});
