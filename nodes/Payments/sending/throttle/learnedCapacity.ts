import { BoundedMap } from '../../../shared/BoundedMap';
import type { LearnedCapacity } from './throttle';

/*
 * What executions learned about a service, by the URL of its transactions. The next execution of
 * this process starts with it, as TCP connections do (RFC 9040).
 */

const windows = new BoundedMap<string, number>({ maxSize: 100, maxAgeMs: 3_600_000 });
const rates = new BoundedMap<string, number>({ maxSize: 100, maxAgeMs: 3_600_000 });

export function learnedAbout(url: string): LearnedCapacity | undefined {
	const concurrency = windows.get(url);
	return concurrency === undefined ? undefined : { concurrency, rate: rates.get(url) };
}

/** A rate that wasn't measured again grows old: the service may have lifted its limit. */
export function rememberCapacity(url: string, { concurrency, rate }: LearnedCapacity): void {
	windows.set(url, concurrency);
	if (rate !== undefined) rates.set(url, rate);
}
