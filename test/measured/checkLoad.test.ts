import { Check } from '../../check/Check';
import { resultOf } from '../../check/result';
import { runCheck } from '../../check/runCheck';
import { burst, twentyAtOnce } from '../../check/steps/load';
import { token } from '../../check/steps/token';
import { setupFor, startService, type Behavior } from '../check/services';

/* What a service limits decides which option helps: the rate, or how many requests are open. */

/** Asks a service only how many transactions it takes. */
async function loadedAt(behavior: Behavior, count: number) {
	const service = await startService(behavior);
	const check = new Check(setupFor(service.url, { burst: count }));
	const steps = [token, twentyAtOnce, ...(count > 0 ? [burst] : [])];
	await runCheck(check, undefined, steps);
	await service.stop();
	const { verdict, behavior: played, findings } = resultOf({ check });
	const set = verdict.settings.map(({ field, value }) => `${field}: ${value}`);
	return { set, played, texts: findings.map(({ text }) => text).join('\n') };
}

describe('a limit', () => {
	test.concurrent.each<[string, Behavior, number, RegExp]>([
		['a sliding window', { perSecond: 20 }, 40, /^Max Requests per Second: (19|20)$/],
		['a sliding window', { perSecond: 20, takesMs: 40 }, 40, /^Max Requests per Second: (19|20)$/],
		[
			'a sliding window of a slow service',
			{ perSecond: 20, takesMs: 1200 },
			40,
			/^Max Requests per Second: (19|20|21)$/,
		],
		['a token bucket', { bucket: 20 }, 40, /^Max Requests per Second: (19|20)$/],
		['a token bucket', { bucket: 20, takesMs: 40 }, 40, /^Max Requests per Second: (19|20)$/],
		['a low rate', { perSecond: 4 }, 0, /^Max Requests per Second: 4$/],
		['5 open requests', { maxOpen: 5, takesMs: 100 }, 40, /^Max Concurrent Requests: 5$/],
		['5 open requests', { maxOpen: 5, takesMs: 1200 }, 0, /^Max Concurrent Requests: 5$/],
	])(
		'%s, %j, --burst %d',
		async (_name, behavior, count, expected) => {
			const { set, played } = await loadedAt(behavior, count);
			expect(set).toEqual([expect.stringMatching(expected)]);
			const value = Number(set[0].split(': ')[1]);
			const isRate = set[0].startsWith('Max Requests');
			expect([played.maxPerSecond, played.maxConcurrent]).toEqual(
				isRate ? [value, undefined] : [undefined, value],
			);
		},
		90_000,
	);

	it('that is as high as what was sent isn’t seen, and the check says so', async () => {
		const { set, texts } = await loadedAt({ perSecond: 20 }, 0);
		expect(set).toEqual([]);
		expect(texts).toMatch(/--burst .* 20 per second or more/);
	}, 30_000);
});
