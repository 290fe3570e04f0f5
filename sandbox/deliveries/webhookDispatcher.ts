import type { FaultSettings } from '../faults/settings';
import type { Changes } from '../state/changes';
import type { Clock } from '../state/clock';
import { DelayQueue } from '../state/delayQueue';
import { tally } from '../state/counts';
import { newId } from '../state/ids';
import { Log, MAX_KEPT } from '../state/log';
import type { Attempt, Counts, Delivery, EndpointWithSecret, WebhookEvent } from '../types';
import type { Endpoints } from './endpoints';
import { post } from './post';
import { schemes } from './sign';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What is the same for all deliveries of an event. */
type ToSend = Pick<
	Delivery,
	'eventId' | 'event' | 'eventCreatedAt' | 'signedAt' | 'body' | 'copyOf'
>;

/** The deliveries that can wait before responses to transactions slow down. */
const MAX_WAITING = 2000;
const MAX_SLOWDOWN_MS = 250;

/** How an event is delivered, besides what the faults say. */
export interface Manner {
	/** How many more times. */
	copies?: number;
	/** How much later than usual. */
	delayMs?: number;
}

/**
 * Delivers events to endpoints, a limited number at a time. Retries until a 2xx acknowledges the
 * delivery or no attempts are left.
 */
export class WebhookDispatcher {
	readonly log = new Log<Delivery>(MAX_KEPT.deliveries, ({ id }) => this.pack(id));
	/**
	 * The deliveries that aren't delivered or failed yet. A slow receiver can have any number of
	 * them, so those that aren't in the log anymore are kept as the bytes of their JSON, which take
	 * half of the memory.
	 */
	private readonly pending = new Map<string, Delivery | Uint8Array>();
	/** The ids of those that can be sent. */
	private readonly waiting = new Set<string>();
	/** The ids of those that a fault delays, with the function that cancels each. */
	private readonly delayed = new Map<string, () => void>();
	/** The ids of those that wait for their next attempt. */
	private readonly retrying: DelayQueue<string>;
	private sending = 0;
	private readonly whenSettled: Array<() => void> = [];
	/** Grows with every reset, so that a response that arrives after a reset is ignored. */
	private round = 0;

	constructor(
		private readonly endpoints: Endpoints,
		private readonly faults: FaultSettings,
		private readonly counts: () => Counts['deliveries'],
		private readonly changes: Changes,
		private readonly clock: Clock,
	) {
		this.retrying = new DelayQueue<string>(
			clock,
			() => this.faults.current.retries.intervalMs,
			(id) => this.enqueue(id),
		);
	}

	/** Creates a delivery, and the copies that faults or a scenario require. Returns their IDs. */
	dispatch(
		event: WebhookEvent,
		body: string,
		endpoint: EndpointWithSecret,
		{ copies = 0, delayMs = 0 }: Manner = {},
	): string[] {
		const { doubled, tripled } = this.faults.current.deliveries;
		const roll = doubled + tripled > 0 ? this.faults.random() : 1;
		const toSend = {
			eventId: event.id,
			event: event.event,
			eventCreatedAt: event.createdAt,
			signedAt: Math.max(0, event.createdAt - this.clock.aheadMs),
			body,
		};
		const first = this.create(toSend, endpoint, delayMs);
		const ids = [first.id];
		if (roll < tripled) copies += 2;
		else if (roll < tripled + doubled) copies += 1;
		for (let copy = 0; copy < copies; copy++)
			ids.push(this.create({ ...toSend, copyOf: first.id }, endpoint, delayMs).id);
		return ids;
	}

	/**
	 * Sends the same event to the same endpoint again, as a new delivery. A delivery that waits for a
	 * retry ends, so that only the new one is retried.
	 */
	resend(delivery: Delivery): Delivery {
		const endpoint = this.endpoints.get(delivery.endpointId);
		if (this.retrying.delete(delivery.id)) this.end(delivery, 'FAILED');
		return this.create({ ...delivery, copyOf: delivery.id }, endpoint);
	}

	/** Cancels what still waits for an endpoint that was deleted. */
	drop(endpointId: string): void {
		for (const id of [...this.waiting, ...this.delayed.keys(), ...this.retrying]) {
			const delivery = this.unpack(id);
			if (delivery.endpointId !== endpointId) continue;
			this.waiting.delete(id);
			this.delayed.get(id)?.();
			this.delayed.delete(id);
			this.retrying.delete(id);
			this.end(delivery, 'FAILED');
		}
	}

	/** Removes all deliveries, also those that are being sent. */
	clear(): void {
		this.round++;
		this.log.clear();
		this.pending.clear();
		this.waiting.clear();
		for (const cancel of this.delayed.values()) cancel();
		this.delayed.clear();
		this.retrying.clear();
	}

	/** Applies a changed concurrency and interval to the deliveries that wait. */
	restart(): void {
		this.retrying.restart();
		this.sendWaiting();
	}

	/**
	 * How many milliseconds longer a response to a transaction takes: 1 for each 100 deliveries
	 * beyond the limit. A client that sends faster than its receiver accepts slows down, so that
	 * deliveries don't pile up in memory.
	 */
	get slowdownMs(): number {
		return Math.min(Math.max(0, (this.waiting.size - MAX_WAITING) / 100), MAX_SLOWDOWN_MS);
	}

	/** Resolves when no delivery is being sent. */
	async settled(): Promise<void> {
		if (this.sending > 0) await new Promise<void>((resolve) => this.whenSettled.push(resolve));
	}

	private create(
		{ eventId, event, eventCreatedAt, signedAt, body, copyOf }: ToSend,
		{ id: endpointId, url }: EndpointWithSecret,
		moreDelayMs = 0,
	): Delivery {
		const delivery: Delivery = {
			id: newId('dlv', 20),
			endpointId,
			eventId,
			event,
			eventCreatedAt,
			signedAt,
			status: 'WAITING',
			url,
			body,
			attempts: [],
			createdAt: this.clock.now(),
			...(copyOf !== undefined && { copyOf }),
		};
		this.pending.set(delivery.id, delivery);
		this.log.add(delivery.id, delivery);
		this.counts().created++;
		this.counts().pending++;
		this.changes.touch('deliveries');
		const delayMs = this.drawDelayMs() + moreDelayMs;
		const { id } = delivery;
		if (delayMs === 0) this.enqueue(id);
		else
			this.delayed.set(
				id,
				this.clock.setTimer(() => this.enqueue(id), delayMs),
			);
		return delivery;
	}

	private drawDelayMs(): number {
		const { shuffled, shuffleMs, delayed, delayMs } = this.faults.current.deliveries;
		if (shuffled + delayed === 0) return 0;
		const { random } = this.faults;
		const delay = random() < delayed ? delayMs : 0;
		return delay + (random() < shuffled ? random() * shuffleMs : 0);
	}

	/** Keeps a pending delivery as bytes. */
	private pack(id: string): void {
		const delivery = this.pending.get(id);
		if (delivery && !(delivery instanceof Uint8Array))
			this.pending.set(id, encoder.encode(JSON.stringify(delivery)));
	}

	private unpack(id: string): Delivery {
		const delivery = this.pending.get(id)!;
		return delivery instanceof Uint8Array
			? (JSON.parse(decoder.decode(delivery)) as Delivery)
			: delivery;
	}

	private enqueue(id: string): void {
		this.delayed.delete(id);
		this.waiting.add(id);
		this.sendWaiting();
	}

	private sendWaiting(): void {
		for (const id of this.waiting) {
			if (this.sending >= this.faults.current.deliveries.concurrency) return;
			this.waiting.delete(id);
			void this.send(this.unpack(id));
		}
	}

	private async send(delivery: Delivery): Promise<void> {
		const endpoint = this.endpoints.stored.get(delivery.endpointId);
		if (!endpoint) return this.end(delivery, 'FAILED');
		const { round } = this;
		this.sending++;
		delivery.status = 'SENDING';
		const at = this.clock.now();
		const { body, eventId, signedAt } = delivery;
		const { secret, previousSecret, scheme } = endpoint;
		const signature = schemes[scheme]({
			body,
			eventId,
			createdAt: signedAt,
			attemptAt: Date.now(),
			secret,
			previousSecret,
			endpoint,
		});
		const attempt = await post(delivery.url, body, signature, at);
		this.sending--;
		if (round === this.round) this.record(delivery, attempt);
		this.sendWaiting();
		if (this.sending === 0) for (const resolve of this.whenSettled.splice(0)) resolve();
	}

	private record(delivery: Delivery, attempt: Attempt): void {
		// Not pushed: an array that grows keeps room for 16 more.
		delivery.attempts = delivery.attempts.concat(attempt);
		const counts = this.counts();
		counts.attempts++;
		tally(counts.responses, attempt.status ?? 'none');
		const { status } = attempt;
		this.finishAttempt(delivery, status !== null && status >= 200 && status < 300);
	}

	private finishAttempt(delivery: Delivery, acknowledged: boolean): void {
		if (acknowledged) return this.end(delivery, 'DELIVERED');
		const noAttemptsLeft = delivery.attempts.length >= this.faults.current.retries.attempts;
		if (noAttemptsLeft || !this.endpoints.stored.has(delivery.endpointId))
			return this.end(delivery, 'FAILED');
		delivery.status = 'RETRYING';
		this.pending.set(delivery.id, delivery);
		if (!this.log.get(delivery.id)) this.pack(delivery.id);
		this.retrying.add(delivery.id);
		this.changes.touch('deliveries');
	}

	private end(delivery: Delivery, status: 'DELIVERED' | 'FAILED'): void {
		delivery.status = status;
		this.pending.delete(delivery.id);
		const counts = this.counts();
		counts.pending--;
		counts[status === 'DELIVERED' ? 'delivered' : 'failed']++;
		this.changes.touch('deliveries');
	}
}
