import { randomUUID } from 'node:crypto';
import { newId } from '../state/ids';

const now = () => Date.now();

/** The data of a test event by its family. Only those of payments and virtual accounts follow the documentation. */
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
		// The members of a payment that came from a transaction, so that a workflow built with a test event works with real ones.
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

/** Returns the data of a test event: an example of its family, or only an id for an unknown family. */
export function exampleData(event: string): Record<string, unknown> {
	const [family] = event.split('.');
	return Object.hasOwn(families, family) ? families[family]() : { id: newId('obj', 20) };
}

/** Returns the previous values of a test event: the status, when the event is about a change of status. */
export const examplePreviousValues = (event: string): Record<string, unknown> =>
	event.endsWith('.STATUS_UPDATED')
		? { status: event.startsWith('PAYMENT.') ? 'PROCESSING' : 'CREATED' }
		: {};
