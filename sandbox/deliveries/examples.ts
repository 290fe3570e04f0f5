import { randomUUID } from 'node:crypto';
import { newId } from '../state/ids';

const now = () => Date.now();

/** What an event of a family is about when a test event is sent without data; the fields of the last five are made up. */
const families: Record<string, () => Record<string, unknown>> = {
	PAYMENT: () => ({
		id: newId('pmt', 20),
		fromId: newId('pyr', 20),
		toId: newId('vac', 20),
		direction: 'PAYIN',
		reference: 'Invoice 2025-0042',
		amount: '2501.00',
		currency: 'EUR',
		paymentScheme: 'SCT',
		status: 'COMPLETED',
		createdAt: now() - 60_000,
		updatedAt: now(),
		// As of a payment that came from a transaction, so that a workflow built on a test event matches real ones, too.
		metadata: { eventId: randomUUID(), externalId: newId('ext', 20) },
	}),
	VIRTUAL_ACCOUNT: () => ({
		id: newId('vac', 20),
		label: 'Example account',
		currency: 'EUR',
		status: 'ACTIVE',
		bankDetails: { iban: 'DK5000400440116243', bic: 'TESTDK22XXX' },
		createdAt: now() - 60_000,
		updatedAt: now(),
		metadata: {},
	}),
	FIAT_ACCOUNT: () => ({
		id: newId('fac', 20),
		label: 'Example account',
		currency: 'EUR',
		status: 'ACTIVE',
		balance: '100.00',
	}),
	PAYEE: () => ({ id: newId('pye', 20), name: 'Example Ltd', status: 'ACTIVE' }),
	RETURN: () => ({
		id: newId('ret', 20),
		paymentId: newId('pmt', 20),
		amount: '2501.00',
		currency: 'EUR',
		status: 'COMPLETED',
	}),
	INDIVIDUAL_END_USER: () => ({ id: newId('eus', 20), status: 'ACTIVE' }),
	BUSINESS_END_USER: () => ({ id: newId('eus', 20), status: 'ACTIVE' }),
};

/** Data for a test event of this kind: an example of its family, or just an id for a family that nobody knows. */
export const exampleData = (event: string) =>
	(families[event.split('.')[0]] ?? (() => ({ id: newId('obj', 20) })))();

/** Old values for a test event: only for a change of the status, the one member that every family has. */
export const examplePreviousValues = (event: string): Record<string, unknown> =>
	event.endsWith('.STATUS_UPDATED')
		? { status: event.startsWith('PAYMENT.') ? 'PROCESSING' : 'CREATED' }
		: {};
