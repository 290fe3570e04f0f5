import type { Clock } from '../../nodes/shared/clock';

/** A clock whose time passes as soon as nothing else is left to do. Times are in ms. */
export class FastClock implements Clock {
	private time = 0;

	private readonly timers = new Map<number, Array<() => void>>();

	/** The times of the timers, sorted, the next one last. */
	private times: number[] = [];

	now = () => this.time;

	sleep = async (ms: number): Promise<void> =>
		await new Promise((resolve) => {
			const at = this.time + ms;
			const sameTime = this.timers.get(at);
			if (sameTime) return void sameTime.push(resolve);
			this.timers.set(at, [resolve]);
			let index = this.times.length;
			while (index > 0 && this.times[index - 1] < at) index--;
			this.times.splice(index, 0, at);
		});

	/** Lets time pass until the promise is settled. */
	async until<T>(promise: Promise<T>): Promise<T> {
		let isSettled = false;
		const settled = () => void (isSettled = true);
		promise.then(settled, settled);
		for (;;) {
			await new Promise((resolve) => setImmediate(resolve));
			if (isSettled) return await promise;
			const at = this.times.pop();
			if (at === undefined) throw new Error('Nothing is left that could end the wait.');
			this.time = at;
			const due = this.timers.get(at)!;
			this.timers.delete(at);
			for (const resolve of due) resolve();
		}
	}
}

/** Makes the timeouts of AbortSignal those of this clock, until Jest restores its mocks. */
export const useTimersOf = (clock: FastClock) =>
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		if (!Number.isInteger(ms) || ms < 0 || ms > 0xffff_ffff)
			throw new RangeError(`Node takes no timeout of ${ms} ms.`);
		const controller = new AbortController();
		void clock.sleep(ms).then(() => controller.abort());
		return controller.signal;
	});
