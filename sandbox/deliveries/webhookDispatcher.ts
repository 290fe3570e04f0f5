import { DelayQueue } from '../state/delayQueue';
import { tally } from '../state/counts';
import { newId } from '../state/ids';
import { Log } from '../state/log';
import type { SandboxState } from '../state/sandboxState';
import type { Attempt, Delivery, EndpointWithSecret, WebhookEvent } from '../types';
import { post } from './post';
import { schemes } from './sign';

/** What is the same for all deliveries of an event. */
type ToSend = Pick<Delivery, 'eventId' | 'event' | 'signedAt' | 'body' | 'copyOf'>;

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
	readonly log = new Log<Delivery>('delivery');
	/** Those that can be sent. */
	private readonly waiting = new Set<Delivery>();
	/** Those that wait for their next attempt. */
	private readonly retrying: DelayQueue<Delivery>;
	private sending = 0;
	private readonly whenSettled: Array<() => void> = [];
	/** Grows with every reset, so that a response that arrives after a reset is ignored. */
	private round = 0;

	constructor(private readonly state: SandboxState) {
		this.retrying = new DelayQueue<Delivery>(
			state.clock,
			() => state.faults.current.retries.intervalMs,
			(delivery) => this.enqueue(delivery),
		);
	}

	/** Creates a delivery, and the copies that faults or a scenario require. Returns their IDs. */
	dispatch(
		event: WebhookEvent,
		body: string,
		endpoint: EndpointWithSecret,
		{ copies = 0, delayMs = 0 }: Manner = {},
	): string[] {
		const { doubled, tripled } = this.state.faults.current.deliveries;
		const roll = doubled + tripled > 0 ? this.state.faults.random() : 1;
		const toSend = {
			eventId: event.id,
			event: event.event,
			signedAt: Math.max(0, event.createdAt - this.state.clock.aheadMs),
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
		const endpoint = this.state.endpoints.get(delivery.endpointId);
		if (this.retrying.delete(delivery)) this.end(delivery, 'FAILED');
		return this.create({ ...delivery, copyOf: delivery.id }, endpoint);
	}

	/** Cancels what still waits for an endpoint that was deleted. */
	drop(endpointId: string): void {
		for (const delivery of [...this.waiting, ...this.retrying]) {
			if (delivery.endpointId !== endpointId) continue;
			this.waiting.delete(delivery);
			this.retrying.delete(delivery);
			this.end(delivery, 'FAILED');
		}
	}

	/** Removes all deliveries, also those that are being sent. */
	clear(): void {
		this.round++;
		this.log.clear();
		this.waiting.clear();
		this.retrying.clear();
	}

	/** Applies a changed concurrency and interval to the deliveries that wait. */
	restart(): void {
		this.retrying.restart();
		this.sendWaiting();
	}

	/** Goes on with the deliveries of a sandbox that was stopped. */
	resume(): void {
		for (const delivery of this.log.records.values()) {
			if (delivery.status === 'RETRYING') this.retrying.add(delivery);
			else if (['WAITING', 'SENDING'].includes(delivery.status)) this.enqueue(delivery);
		}
	}

	/** Resolves when no delivery is being sent. */
	async settled(): Promise<void> {
		if (this.sending > 0) await new Promise<void>((resolve) => this.whenSettled.push(resolve));
	}

	private create(
		{ eventId, event, signedAt, body, copyOf }: ToSend,
		{ id: endpointId, url }: EndpointWithSecret,
		moreDelayMs = 0,
	): Delivery {
		const delivery: Delivery = {
			id: newId('dlv', 20),
			endpointId,
			eventId,
			event,
			signedAt,
			status: 'WAITING',
			url,
			body,
			attempts: [],
			createdAt: this.state.clock.now(),
			...(copyOf !== undefined && { copyOf }),
		};
		this.log.add(delivery.id, delivery);
		this.state.counts.deliveries.created++;
		this.state.counts.deliveries.pending++;
		const delayMs = this.drawDelayMs() + moreDelayMs;
		if (delayMs === 0) this.enqueue(delivery);
		else this.state.clock.setTimer(() => this.enqueue(delivery), delayMs);
		return delivery;
	}

	private drawDelayMs(): number {
		const { shuffled, shuffleMs } = this.state.faults.current.deliveries;
		const { random } = this.state.faults;
		return shuffled > 0 && random() < shuffled ? random() * shuffleMs : 0;
	}

	private enqueue(delivery: Delivery): void {
		this.waiting.add(delivery);
		this.sendWaiting();
	}

	private sendWaiting(): void {
		for (const delivery of this.waiting) {
			if (this.sending >= this.state.faults.current.deliveries.concurrency) return;
			this.waiting.delete(delivery);
			void this.send(delivery);
		}
	}

	private async send(delivery: Delivery): Promise<void> {
		const endpoint = this.state.endpoints.stored.get(delivery.endpointId);
		if (!endpoint) return this.end(delivery, 'FAILED');
		const { round } = this;
		this.sending++;
		delivery.status = 'SENDING';
		const at = this.state.clock.now();
		const { body, eventId, signedAt } = delivery;
		const { secret, scheme } = endpoint;
		const times = { createdAt: signedAt, attemptAt: Date.now() };
		const signature = schemes[scheme]({ body, eventId, ...times, secret, endpoint });
		const attempt = await post(delivery.url, body, signature, at);
		this.sending--;
		if (round === this.round) this.record(delivery, attempt);
		this.sendWaiting();
		if (this.sending === 0) for (const resolve of this.whenSettled.splice(0)) resolve();
	}

	private record(delivery: Delivery, attempt: Attempt): void {
		// Not pushed: an array that grows keeps room for 16 more.
		delivery.attempts = delivery.attempts.concat(attempt);
		const counts = this.state.counts.deliveries;
		counts.attempts++;
		tally(counts.responses, attempt.status ?? 'none');
		const { status } = attempt;
		if (status !== null && status >= 200 && status < 300) return this.end(delivery, 'DELIVERED');
		const noAttemptsLeft = delivery.attempts.length >= this.state.faults.current.retries.attempts;
		if (noAttemptsLeft || !this.state.endpoints.stored.has(delivery.endpointId))
			return this.end(delivery, 'FAILED');
		delivery.status = 'RETRYING';
		this.retrying.add(delivery);
	}

	private end(delivery: Delivery, status: 'DELIVERED' | 'FAILED'): void {
		delivery.status = status;
		const counts = this.state.counts.deliveries;
		counts.pending--;
		counts[status === 'DELIVERED' ? 'delivered' : 'failed']++;
	}
}
