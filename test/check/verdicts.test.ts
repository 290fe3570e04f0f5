import { Check } from '../../check/Check';
import { resultOf } from '../../check/result';
import { runCheck } from '../../check/runCheck';
import { lookUpIn, SERVICES, setupFor, startService } from './services';

/* Each service answers differently. What it recorded is known, so a wrong "fits" is, too. */

test.concurrent.each(SERVICES)(
	'$name: $verdict',
	async ({ behavior, verdict, withoutLook = verdict, settings = [] }) => {
		const service = await startService(behavior);
		const check = new Check(setupFor(service.url));
		await runCheck(check);
		await service.stop();
		const looked = resultOf({ check, lookedUp: lookUpIn(service) });
		const named = looked.verdict.settings.map(({ field, value }) => `${field}: ${value}`);
		expect([looked.verdict.name, named]).toEqual([
			verdict,
			settings.map((one) => expect.stringContaining(one)),
		]);
		expect(resultOf({ check }).verdict.name).toBe(withoutLook);
	},
	60_000,
);
