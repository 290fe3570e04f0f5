import { randomUUID } from 'node:crypto';

import type { Transaction } from '../../../nodes/Payments/Transaction';
import type { Answers, Reply, ServiceOptions } from './checkedService';

/** What a service answers. `id` is its own one of what it has recorded. */
export interface Service {
	created: (id: string, sent: Transaction) => Reply;
	/** An amount that is no number. */
	invalid: Reply | ((id: string, sent: Transaction) => Reply);
	/** An Event ID that is recorded. Without it, it's recorded again. */
	repeat?: (id: string, sent: Transaction) => Reply;
	/** The same with another amount. */
	otherAmount?: Reply;
	/** What it makes of Idempotency-Key. Without it, it doesn't read it. */
	key?: {
		/** The same content. Without it, the first answer again. */
		repeat?: Reply;
		/** Other content. Without it, the same as for the same content. */
		other?: Reply;
		/** Whether it keeps refusals, too. */
		keepsRefusals?: boolean;
		/** Of the first answer that is repeated. */
		headers?: Record<string, string>;
		/** One of another form, or none. */
		unreadable?: [form: RegExp, reply: Reply];
	};
	/** After this time, in ms, it takes an Event ID and a key for new. */
	remembersMs?: number;
	/** A movement of a year ago. */
	past?: Reply;
	/** With each answer. */
	headers?: Record<string, string>;
	/** Whether it answers a transaction that was refused in this way, whatever is sent since. */
	refusedBefore?: Reply;
	/** Answers a token request otherwise. */
	token?: ServiceOptions['token'];
	/** What a token must be for, and what gets one for something else. */
	scope?: [needed: string, reply: Reply];
}

interface Recorded {
	ids: string[];
	amount: string;
	at: number;
	isWithoutKey: boolean;
}

/** The node sends no amount that is no number, so this one is refused in the same way. */
export const REFUSED_AMOUNT = '13.13';

/** A service that keeps what it gets. */
export class DescribedService {
	readonly recorded = new Map<string, Recorded>();

	readonly refused = new Set<string>();

	private readonly keys = new Map<string, { body: string; reply: Reply; at: number }>();

	constructor(private readonly service: Service) {}

	answers: Answers = ({ body, key = '' }, send) => {
		const [status, said, headers] = this.answer(body, key);
		send(status, said, { ...this.service.headers, ...headers });
	};

	get options(): ServiceOptions {
		const { token, scope } = this.service;
		return { invalid: this.answers, token, scope };
	}

	/** Whether something counts twice of what was sent with, or without, the key. */
	isTwice(sendsKey: boolean): boolean {
		return [...this.recorded.values()].some(
			({ ids, isWithoutKey }) => ids.length > 1 && isWithoutKey !== sendsKey,
		);
	}

	private answer(body: string, key: string): Reply {
		const { key: reads } = this.service;
		const [form, reply] = reads?.unreadable ?? [];
		if (form && !form.test(key)) return reply!;
		const known = this.remembered(this.keys.get(key));
		if (reads && known) {
			if (known.body !== body && reads.other) return reads.other;
			const [status, first, headers] = known.reply;
			return reads.repeat ?? [status, first, { ...headers, ...reads.headers }];
		}
		const answer = this.record(JSON.parse(body) as Transaction, key === '');
		const isKept = answer[0] < 300 || reads?.keepsRefusals;
		if (key && isKept) this.keys.set(key, { body, reply: answer, at: Date.now() });
		return answer;
	}

	private record(sent: Transaction, isWithoutKey: boolean): Reply {
		const { service, recorded } = this;
		const { eventId, amount } = sent;
		if (service.refusedBefore && this.refused.has(eventId)) return service.refusedBefore;
		const { invalid } = service;
		if (amount === 'not-a-number' || amount === REFUSED_AMOUNT)
			return this.refuse(
				eventId,
				typeof invalid === 'function' ? invalid(randomUUID(), sent) : invalid,
			);
		const isPast = sent.externalCreatedAt < Date.now() - 300 * 24 * 3_600_000;
		if (isPast && service.past) return this.refuse(eventId, service.past);
		const before = recorded.get(eventId);
		const known = this.remembered(before);
		if (known && service.otherAmount && known.amount !== amount) return service.otherAmount;
		if (known && service.repeat) return service.repeat(known.ids[0], sent);
		const id = randomUUID();
		recorded.set(eventId, {
			ids: [...(before?.ids ?? []), id],
			amount,
			at: Date.now(),
			isWithoutKey: isWithoutKey || !!before?.isWithoutKey,
		});
		return service.created(id, sent);
	}

	private refuse(eventId: string, reply: Reply): Reply {
		this.refused.add(eventId);
		return reply;
	}

	private remembered<T extends { at: number }>(known?: T): T | undefined {
		const { remembersMs = Infinity } = this.service;
		return known && Date.now() - known.at < remembersMs ? known : undefined;
	}
}
