import type { FaultSettings } from '../faults/settings';
import type { Changes } from '../state/changes';
import { DelayQueue } from '../state/delayQueue';
import { tally } from '../state/counts';
import { newId } from '../state/ids';
import { Log } from '../state/log';
import type { Counts, Delivery, EndpointWithSecret, WebhookEvent } from '../types';
import type { Endpoints } from './endpoints';
import { post } from './post';
import { schemes } from './sign';

/** The deliveries that are kept. The counts include all of them. */
const MAX_KEPT = 50_000;

/** Delivers events to endpoints: a limited number at a time, with retries until a 2xx acknowledges the delivery or no attempts are left. */
export class WebhookDispatcher {
	readonly log = new Log<Delivery>(MAX_KEPT);
	private readonly waiting = new Set<Delivery>();
	private readonly delayed = new Map<Delivery, NodeJS.Timeout>();
	private readonly retrying = new DelayQueue<Delivery>(
		() => this.faults.current.retries.intervalMs,
		(delivery) => this.enqueue(delivery),
	);
	private sending = 0;
	/** Grows with every reset, so that a response that arrives after a reset is ignored. */
	private round = 0;

	constructor(
		private readonly endpoints: Endpoints,
		private readonly faults: FaultSettings,
		private readonly counts: () => Counts['deliveries'],
		private readonly changes: Changes,
	) {}

	/** Creates a delivery and the copies that the faults require. Returns their ids. */
	dispatch(event: WebhookEvent, body: string, endpoint: EndpointWithSecret): string[] {
		const { doubled, tripled } = this.faults.current.deliveries;
		const roll = doubled + tripled > 0 ? this.faults.random() : 1;
		const first = this.create(event, body, endpoint);
		const ids = [first.id];
		let copies = 0;
		if (roll < tripled) copies = 2;
		else if (roll < tripled + doubled) copies = 1;
		for (let copy = 0; copy < copies; copy++)
			ids.push(this.create(event, body, endpoint, first.id).id);
		return ids;
	}

	/** Sends the same event to the same endpoint again, as a new delivery. */
	resend(delivery: Delivery): Delivery {
		const { eventId: id, event, eventCreatedAt: createdAt, body, endpointId } = delivery;
		return this.create({ id, event, createdAt }, body, this.endpoints.get(endpointId), delivery.id);
	}

	/** Cancels what still waits for an endpoint that was deleted. */
	drop(endpointId: string): void {
		for (const pending of [...this.waiting, ...this.delayed.keys(), ...this.retrying]) {
			if (pending.endpointId !== endpointId) continue;
			this.waiting.delete(pending);
			clearTimeout(this.delayed.get(pending));
			this.delayed.delete(pending);
			this.retrying.delete(pending);
			this.end(pending, 'FAILED');
		}
	}

	/** Removes all deliveries, also those that are being sent. */
	clear(): void {
		this.round++;
		this.log.clear();
		this.waiting.clear();
		for (const timer of this.delayed.values()) clearTimeout(timer);
		this.delayed.clear();
		this.retrying.clear();
	}

	/** Applies a changed concurrency and interval to the deliveries that wait. */
	restart(): void {
		this.retrying.restart();
		this.sendWaiting();
	}

	private create(
		event: Pick<WebhookEvent, 'id' | 'event' | 'createdAt'>,
		body: string,
		endpoint: EndpointWithSecret,
		copyOf?: string,
	): Delivery {
		const delivery: Delivery = {
			id: newId('dlv', 20),
			endpointId: endpoint.id,
			eventId: event.id,
			event: event.event,
			eventCreatedAt: event.createdAt,
			status: 'WAITING',
			url: endpoint.url,
			body,
			attempts: [],
			createdAt: Date.now(),
			...(copyOf !== undefined && { copyOf }),
		};
		this.log.add(delivery.id, delivery);
		this.counts().created++;
		this.counts().pending++;
		this.changes.touch('deliveries');
		const delayMs = this.drawDelayMs();
		if (delayMs === 0) this.enqueue(delivery);
		else
			this.delayed.set(
				delivery,
				setTimeout(() => this.enqueue(delivery), delayMs),
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

	private enqueue(delivery: Delivery): void {
		this.delayed.delete(delivery);
		this.waiting.add(delivery);
		this.sendWaiting();
	}

	private sendWaiting(): void {
		for (const delivery of this.waiting) {
			if (this.sending >= this.faults.current.deliveries.concurrency) return;
			this.waiting.delete(delivery);
			void this.send(delivery);
		}
	}

	private async send(delivery: Delivery): Promise<void> {
		const endpoint = this.endpoints.stored.get(delivery.endpointId);
		if (!endpoint) return this.end(delivery, 'FAILED');
		const { round } = this;
		this.sending++;
		delivery.status = 'SENDING';
		const { body, eventId, eventCreatedAt: createdAt } = delivery;
		const { secret, previousSecret, scheme } = endpoint;
		const signature = schemes[scheme]({
			body,
			eventId,
			createdAt,
			attemptAt: Date.now(),
			secret,
			previousSecret,
			endpoint,
		});
		const attempt = await post(delivery.url, body, signature);
		this.sending--;
		if (round !== this.round) return this.sendWaiting();
		delivery.attempts.push(attempt);
		const counts = this.counts();
		counts.attempts++;
		tally(counts.responses, attempt.status ?? 'none');
		const { status } = attempt;
		this.finishAttempt(delivery, status !== null && status >= 200 && status < 300);
		this.sendWaiting();
	}

	private finishAttempt(delivery: Delivery, acknowledged: boolean): void {
		if (acknowledged) return this.end(delivery, 'DELIVERED');
		const noAttemptsLeft = delivery.attempts.length >= this.faults.current.retries.attempts;
		if (noAttemptsLeft || !this.endpoints.stored.has(delivery.endpointId))
			return this.end(delivery, 'FAILED');
		delivery.status = 'RETRYING';
		this.retrying.add(delivery);
		this.changes.touch('deliveries');
	}

	private end(delivery: Delivery, status: 'DELIVERED' | 'FAILED'): void {
		delivery.status = status;
		const counts = this.counts();
		counts.pending--;
		counts[status === 'DELIVERED' ? 'delivered' : 'failed']++;
		this.changes.touch('deliveries');
	}
}
