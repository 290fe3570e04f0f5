import { Emitter } from '../deliveries/emitter';
import { Endpoints } from '../deliveries/endpoints';
import { WebhookDispatcher } from '../deliveries/webhookDispatcher';
import { FaultSettings } from '../faults/settings';
import type { ReceivedRequest } from '../types';
import { Clients } from './clients';
import { Clock } from './clock';
import { noCounts } from './counts';
import { IdempotencyKeys } from './idempotencyKeys';
import { newId } from './ids';
import { Log } from './log';
import { Payments } from './payments';
import { ScenarioRequests } from './scenarios';
import { Tokens } from './tokens';
import { Transactions } from './transactions';

/** The state of a running sandbox, all of it in memory. */
export class SandboxState {
	/** Identifies this state. A page that sees another id knows that the state it shows is gone. */
	instance = newId('run', 12);
	readonly clock = new Clock(async () => await this.dispatcher.settled());
	counts = noCounts();
	/** The latest requests to the service's own paths. */
	readonly requests = new Log<ReceivedRequest>('request');
	readonly clients = new Clients(this.clock);
	readonly tokens = new Tokens(this.clock);
	readonly endpoints = new Endpoints(this.clock);
	readonly faults = new FaultSettings();
	readonly dispatcher = new WebhookDispatcher(this);
	readonly emitter = new Emitter(this);
	readonly payments = new Payments(this);
	readonly transactions = new Transactions(this);
	readonly idempotencyKeys = new IdempotencyKeys(this);
	readonly scenarioRequests = new ScenarioRequests();

	/** Deletes what was recorded, and with `everything` also clients, endpoints, and tokens. */
	reset(everything = false): void {
		const { transactions, dispatcher, payments, scenarioRequests, requests, idempotencyKeys } =
			this;
		const parts = [transactions, dispatcher, payments.log, scenarioRequests, requests];
		for (const part of [...parts, idempotencyKeys]) part.clear();
		const { inFlight } = this.counts.transactions;
		this.counts = noCounts();
		this.counts.transactions.inFlight = inFlight;
		this.faults.replace();
		this.clock.reset();
		if (everything) {
			this.clients.stored.clear();
			this.endpoints.stored.clear();
			this.tokens.revoke();
		}
	}
}
