/** The lists that change. */
export const AREAS = [
	'clients',
	'tokens',
	'endpoints',
	'deliveries',
	'accounts',
	'payments',
	'transactions',
	'faults',
	'clock',
	'events',
	'requests',
] as const;
export type Area = (typeof AREAS)[number];

/** Milliseconds between two messages, however much changes. */
const INTERVAL_MS = 250;

/** Notifies watchers of the lists that have changed. Does nothing while nobody watches. */
export class Changes {
	private readonly watchers = new Set<(areas: Area[]) => void>();
	private readonly changed = new Set<Area>();
	private timer: NodeJS.Timeout | undefined;

	touch(area: Area): void {
		if (this.watchers.size === 0) return;
		this.changed.add(area);
		this.timer ??= setTimeout(() => {
			this.timer = undefined;
			const areas = [...this.changed];
			this.changed.clear();
			for (const watcher of this.watchers) watcher(areas);
		}, INTERVAL_MS);
	}

	/** Returns the function that stops watching. */
	watch(watcher: (areas: Area[]) => void): () => void {
		this.watchers.add(watcher);
		return () => this.watchers.delete(watcher);
	}
}
