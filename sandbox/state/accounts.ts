import { randomInt } from 'node:crypto';
import type { Emitter } from '../deliveries/emitter';
import type { NewVirtualAccount, VirtualAccount, VirtualAccountStatus } from '../types';
import type { Changes } from './changes';
import type { Clock } from './clock';
import { newId } from './ids';
import { Log } from './log';
import { notFound, ServiceError } from './serviceError';
import { checkTransition, virtualAccountTransitions } from './transitions';

/**
 * Creates a Danish IBAN with valid check digits (ISO 13616, modulo 97), for workflows that check
 * them.
 */
export function newIban(): string {
	const account = String(randomInt(10 ** 13, 10 ** 14));
	// The country code DK and the digits 00 go to the end, with letters as numbers: D = 13, K = 20.
	const check = 98n - (BigInt(`${account}132000`) % 97n);
	return `DK${String(check).padStart(2, '0')}${account}`;
}

/** The virtual accounts of the service. Every change emits an event. */
export class VirtualAccounts {
	readonly log = new Log<VirtualAccount>();

	constructor(
		private readonly emitter: Emitter,
		private readonly changes: Changes,
		private readonly clock: Clock,
	) {}

	create({ label = '', currency = 'EUR', metadata = {} }: NewVirtualAccount): VirtualAccount {
		const now = this.clock.now();
		const id = newId('vac', 20);
		const account: VirtualAccount = {
			id,
			label,
			currency,
			status: 'CREATED',
			bankDetails: null,
			createdAt: now,
			updatedAt: now,
			metadata,
		};
		this.log.add(id, account);
		this.changes.touch('accounts');
		this.emitter.emit({ event: 'VIRTUAL_ACCOUNT.CREATED', data: { ...account }, createdAt: now });
		return account;
	}

	/** Assigns bank details, which makes the account ACTIVE (section 3). Throws 404 and 409. */
	assignBankDetails(id: string): VirtualAccount {
		const account = this.get(id);
		if (account.bankDetails)
			throw new ServiceError(
				409,
				'BANK_DETAILS_ALREADY_ASSIGNED',
				`The virtual account ${id} already has bank details.`,
			);
		checkTransition(virtualAccountTransitions, account.status, 'ACTIVE');
		account.bankDetails = { iban: newIban(), bic: 'TESTDK22XXX' };
		return this.move(account, 'ACTIVE');
	}

	/** Throws 404 for an unknown account and 409 for a status that can't follow the current one. */
	setStatus(id: string, status: VirtualAccountStatus): VirtualAccount {
		const account = this.get(id);
		checkTransition(virtualAccountTransitions, account.status, status);
		if (status === 'ACTIVE' && !account.bankDetails) {
			throw new ServiceError(
				409,
				'BANK_DETAILS_MISSING',
				`The virtual account ${id} becomes ACTIVE when bank details are assigned to it.`,
			);
		}
		return this.move(account, status);
	}

	get(id: string): VirtualAccount {
		const account = this.log.get(id);
		if (!account) throw notFound('virtual account', id);
		return account;
	}

	private move(account: VirtualAccount, status: VirtualAccountStatus): VirtualAccount {
		const previousValues = { status: account.status };
		account.status = status;
		account.updatedAt = this.clock.now();
		this.changes.touch('accounts');
		this.emitter.emit({
			event: 'VIRTUAL_ACCOUNT.STATUS_UPDATED',
			data: { ...account },
			previousValues,
			createdAt: account.updatedAt,
		});
		return account;
	}
}
