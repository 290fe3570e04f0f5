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

/** Everything that one running sandbox knows. All of it is in memory and ends with the process. */
export class SandboxState {
	/** Tells one run from the next: a page that sees another one knows that the state is gone. */
	readonly instance = newId('run', 12);
	readonly startedAt = Date.now();
	/** Of what was seen; `allCounts` has those that are no more than a size, too. */
	counts = noCounts();
	readonly changes = new Changes();
	readonly clients = new Clients();
	readonly tokens = new Tokens();
	readonly endpoints = new Endpoints();
	readonly faults: FaultSettings;
	readonly courier: WebhookDispatcher;
	readonly emitter: Emitter;
	readonly accounts: VirtualAccounts;
	readonly payments: Payments;
	readonly transactions: Transactions;

	/** `seed`: start of the random sequence of the faults. */
	constructor(seed: number) {
		this.faults = new FaultSettings(seed);
		this.courier = new WebhookDispatcher(
			this.endpoints,
			this.faults,
			() => this.counts.deliveries,
			this.changes,
		);
		this.emitter = new Emitter(this.endpoints, this.courier, () => this.counts.events);
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
		return { ...this.counts, payments: this.payments.log.size };
	}

	/** Forgets what happened; with `everything` also who may come in and who is told. */
	reset(everything = false): void {
		for (const part of [this.transactions, this.courier, this.payments.log, this.accounts.log])
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
