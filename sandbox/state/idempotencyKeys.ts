import { Log } from './log';
import type { SandboxState } from './sandboxState';

/** The requests that recorded a transaction, by their Idempotency-Key. */
export class IdempotencyKeys {
	readonly requests = new Log<{ body: string; at: number }>('key');

	constructor(private readonly state: SandboxState) {}

	/** Says whether a key was used, and whether with the same content. */
	find(key: string, body: string): 'new' | 'sameContent' | 'otherContent' {
		const { forgetEventIdsAfterMs = Infinity } = this.state.faults.current;
		const first = this.requests.get(key);
		const isKept = first && this.state.clock.now() - first.at <= forgetEventIdsAfterMs;
		if (!isKept) return 'new';
		return first.body === body ? 'sameContent' : 'otherContent';
	}

	add(key: string, body: string): void {
		this.requests.add(key, { body, at: this.state.clock.now() });
	}

	clear(): void {
		this.requests.clear();
	}
}
