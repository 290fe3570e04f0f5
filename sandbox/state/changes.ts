/** The lists that can change. */
export const AREAS = [
	'clients',
	'tokens',
	'endpoints',
	'deliveries',
	'accounts',
	'payments',
	'transactions',
	'faults',
] as const;
export type Area = (typeof AREAS)[number];

/** At most four messages a second, however much happens. */
const PAUSE_MS = 250;

/** Tells those who watch which lists changed. Costs nothing as long as nobody watches. */
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
		}, PAUSE_MS);
	}

	/** Gives the function that ends the watch. */
	watch(watcher: (areas: Area[]) => void): () => void {
		this.watchers.add(watcher);
		return () => this.watchers.delete(watcher);
	}
}
