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

/** More deliveries than this are not remembered; the counts know them all. */
const KEEP = 50_000;

/** Brings events to endpoints: so many at a time, again and again until one is answered 2xx or the attempts are used up. */
export class WebhookDispatcher {
	readonly log = new Log<Delivery>(KEEP);
	private readonly waiting = new Set<Delivery>();
	private readonly held = new Map<Delivery, NodeJS.Timeout>();
	private readonly retrying = new DelayQueue<Delivery>(
		() => this.faults.current.retries.intervalMs,
		(delivery) => this.enqueue(delivery),
	);
	private sending = 0;
	/** Grows with every reset: an answer that comes after one belongs to nothing any more. */
	private round = 0;

	constructor(
		private readonly endpoints: Endpoints,
		private readonly faults: FaultSettings,
		private readonly counts: () => Counts['deliveries'],
		private readonly changes: Changes,
	) {}

	/** Makes the delivery, and the copies of it that the faults ask for, and gives their ids. */
	dispatch(event: WebhookEvent, body: string, endpoint: EndpointWithSecret): string[] {
		const { doubled, tripled } = this.faults.current.deliveries;
		const roll = doubled + tripled > 0 ? this.faults.random() : 1;
		const first = this.create(event, body, endpoint);
		const ids = [first.id];
		const copies = roll < tripled ? 2 : roll < tripled + doubled ? 1 : 0;
		for (let copy = 0; copy < copies; copy++)
			ids.push(this.create(event, body, endpoint, first.id).id);
		return ids;
	}

	/** The same event to the same endpoint once more, as a delivery of its own. */
	resend(delivery: Delivery): Delivery {
		const { eventId: id, event, eventCreatedAt: createdAt, body, endpointId } = delivery;
		return this.create({ id, event, createdAt }, body, this.endpoints.get(endpointId), delivery.id);
	}

	/** What waits for a deleted endpoint is not sent any more. */
	drop(endpointId: string): void {
		for (const pending of [...this.waiting, ...this.held.keys(), ...this.retrying]) {
			if (pending.endpointId !== endpointId) continue;
			this.waiting.delete(pending);
			clearTimeout(this.held.get(pending));
			this.held.delete(pending);
			this.retrying.delete(pending);
			this.end(pending, 'FAILED');
		}
	}

	/** Forgets all deliveries, those on their way included. */
	clear(): void {
		this.round++;
		this.log.clear();
		this.waiting.clear();
		for (const timer of this.held.values()) clearTimeout(timer);
		this.held.clear();
		this.retrying.clear();
	}

	/** After a change of the faults: the new concurrency and interval hold for those who wait, too. */
	restart(): void {
		this.retrying.restart();
		this.pump();
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
		const holdMs = this.drawHoldMs();
		if (holdMs === 0) this.enqueue(delivery);
		else
			this.held.set(
				delivery,
				setTimeout(() => this.enqueue(delivery), holdMs),
			);
		return delivery;
	}

	private drawHoldMs(): number {
		const { shuffled, shuffleMs, delayed, delayMs } = this.faults.current.deliveries;
		if (shuffled + delayed === 0) return 0;
		const { random } = this.faults;
		const delay = random() < delayed ? delayMs : 0;
		return delay + (random() < shuffled ? random() * shuffleMs : 0);
	}

	private enqueue(delivery: Delivery): void {
		this.held.delete(delivery);
		this.waiting.add(delivery);
		this.pump();
	}

	private pump(): void {
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
		if (round !== this.round) return this.pump();
		delivery.attempts.push(attempt);
		const counts = this.counts();
		counts.attempts++;
		tally(counts.responses, attempt.status ?? 'none');
		this.decide(delivery, attempt.status !== null && attempt.status >= 200 && attempt.status < 300);
		this.pump();
	}

	private decide(delivery: Delivery, accepted: boolean): void {
		if (accepted) return this.end(delivery, 'DELIVERED');
		const givenUp = delivery.attempts.length >= this.faults.current.retries.attempts;
		if (givenUp || !this.endpoints.stored.has(delivery.endpointId))
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
