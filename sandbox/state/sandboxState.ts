import { WebhookDispatcher } from '../deliveries/webhookDispatcher';
import { Emitter } from '../deliveries/emitter';
import { Endpoints } from '../deliveries/endpoints';
import { FaultSettings } from '../faults/settings';
import type { Counts } from '../types';
import { VirtualAccounts } from './accounts';
import { AREAS, Changes } from './changes';
import { Clients } from './clients';
import { noCounts } from './counts';
import { newId } from './ids';
import { Payments } from './payments';
import { Tokens } from './tokens';
import { Transactions } from './transactions';

/** The state of a running sandbox, all of it in memory. */
export class SandboxState {
	/** Identifies this run. A page that sees another id knows that the state it shows is gone. */
	readonly instance = newId('run', 12);
	readonly startedAt = Date.now();
	/** The counts that are kept. `allCounts` also has those that are the size of a list. */
	counts = noCounts();
	readonly changes = new Changes();
	readonly clients = new Clients();
	readonly tokens = new Tokens();
	readonly endpoints = new Endpoints();
	readonly faults: FaultSettings;
	readonly dispatcher: WebhookDispatcher;
	readonly emitter: Emitter;
	readonly accounts: VirtualAccounts;
	readonly payments: Payments;
	readonly transactions: Transactions;

	/** @param seed of the random sequence of the faults */
	constructor(seed: number) {
		this.faults = new FaultSettings(seed);
		this.dispatcher = new WebhookDispatcher(
			this.endpoints,
			this.faults,
			() => this.counts.deliveries,
			this.changes,
		);
		this.emitter = new Emitter(this.endpoints, this.dispatcher, () => this.counts.events);
		this.accounts = new VirtualAccounts(this.emitter, this.changes);
		this.payments = new Payments(this.emitter, this.changes);
		this.transactions = new Transactions(
			this.payments,
			() => this.counts.transactions,
			this.changes,
			() => this.faults.current.processingMs,
		);
	}

	allCounts(): Counts {
		return {
			...this.counts,
			clients: this.clients.stored.size,
			endpoints: this.endpoints.stored.size,
			payments: this.payments.log.size,
		};
	}

	/** Deletes what was recorded, and with `everything` also clients, endpoints, and tokens. */
	reset(everything = false): void {
		for (const part of [this.transactions, this.dispatcher, this.payments.log, this.accounts.log])
			part.clear();
		const { inFlight } = this.counts.transactions;
		this.counts = noCounts();
		this.counts.transactions.inFlight = inFlight;
		this.faults.replace();
		if (everything) {
			this.clients.stored.clear();
			this.endpoints.stored.clear();
			this.tokens.revoke();
		}
		for (const area of AREAS) this.changes.touch(area);
	}
}
