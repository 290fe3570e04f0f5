import { WebhookDispatcher } from '../deliveries/webhookDispatcher';
import { Emitter } from '../deliveries/emitter';
import { Endpoints } from '../deliveries/endpoints';
import { FaultSettings } from '../faults/settings';
import type { CheckedService, Counts, EmittedEvent, ReceivedRequest } from '../types';
import { VirtualAccounts } from './accounts';
import { AREAS, Changes } from './changes';
import { Clients } from './clients';
import { Clock } from './clock';
import { noCounts } from './counts';
import { newId } from './ids';
import { Log, MAX_KEPT } from './log';
import { CheckedBehavior } from './checkedBehavior';
import { Payments } from './payments';
import { ScenarioRequests } from './scenarios';
import { Tokens } from './tokens';
import { Transactions } from './transactions';

/** The state of a running sandbox, all of it in memory. */
export class SandboxState {
	/** The requests to the service's own paths, and the events, the latest of them. */
	readonly requests = new Log<ReceivedRequest>(MAX_KEPT.requests);
	readonly events = new Log<EmittedEvent>(MAX_KEPT.events);
	/** Identifies this run. A page that sees another id knows that the state it shows is gone. */
	readonly instance = newId('run', 12);
	readonly startedAt = Date.now();
	readonly clock = new Clock(async () => await this.dispatcher.settled());
	/** The counts that are kept. `allCounts` also has those that are the size of a list. */
	counts = noCounts();
	readonly changes = new Changes();
	readonly clients = new Clients(this.clock);
	readonly tokens = new Tokens(this.clock);
	readonly endpoints = new Endpoints(this.clock);
	readonly faults: FaultSettings;
	readonly dispatcher: WebhookDispatcher;
	readonly emitter: Emitter;
	readonly accounts: VirtualAccounts;
	readonly payments: Payments;
	readonly transactions: Transactions;
	readonly scenarioRequests = new ScenarioRequests();
	/** The service that the sandbox plays, if it plays one. */
	like?: CheckedBehavior;

	/** @param seed of the random sequence of the faults */
	constructor(seed: number) {
		this.faults = new FaultSettings(seed);
		this.dispatcher = new WebhookDispatcher(
			this.endpoints,
			this.faults,
			() => this.counts.deliveries,
			this.changes,
			this.clock,
		);
		this.emitter = new Emitter(
			this.endpoints,
			this.dispatcher,
			this.events,
			() => this.counts.events,
			this.clock,
			this.changes,
		);
		this.accounts = new VirtualAccounts(this.emitter, this.changes, this.clock);
		this.payments = new Payments(this.emitter, this.changes, this.clock);
		this.transactions = new Transactions(
			this.payments,
			() => this.counts.transactions,
			this.changes,
			this.clock,
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

	/** Answers like a service that was checked. */
	play(checked: CheckedService): void {
		this.like = new CheckedBehavior(checked);
	}

	/** Deletes what was recorded, and with `everything` also clients, endpoints, and tokens. */
	reset(everything = false): void {
		const { transactions, dispatcher, payments, accounts, scenarioRequests, events, requests } =
			this;
		const logs = [payments.log, accounts.log, events, requests];
		for (const part of [transactions, dispatcher, scenarioRequests, ...logs]) part.clear();
		const { inFlight } = this.counts.transactions;
		this.counts = noCounts();
		this.counts.transactions.inFlight = inFlight;
		this.faults.replace();
		this.tokens.shift(-this.clock.aheadMs);
		this.clock.reset();
		if (everything) {
			this.clients.stored.clear();
			this.endpoints.stored.clear();
			this.tokens.revoke();
		}
		for (const area of AREAS) this.changes.touch(area);
	}
}
