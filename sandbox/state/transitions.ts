import type { PaymentStatus, VirtualAccountStatus } from '../types';
import { ServiceError } from './serviceError';

/** Which status may follow which: public practice, States. RETURNED comes after the money had arrived. */
export const paymentTransitions: Record<PaymentStatus, PaymentStatus[]> = {
	CREATED: ['PROCESSING', 'COMPLIANCE_REVIEW', 'AWAITING_APPROVAL', 'REJECTED', 'FAILED'],
	COMPLIANCE_REVIEW: ['PROCESSING', 'AWAITING_APPROVAL', 'REJECTED', 'FAILED'],
	AWAITING_APPROVAL: ['PROCESSING', 'COMPLIANCE_REVIEW', 'REJECTED', 'FAILED'],
	PROCESSING: ['COMPLETED', 'COMPLIANCE_REVIEW', 'REJECTED', 'FAILED'],
	COMPLETED: ['RETURNED'],
	REJECTED: [],
	FAILED: [],
	RETURNED: [],
};

/** Public practice, States. ACTIVE comes from CREATED only by bank details (service interface, section 3). */
export const virtualAccountTransitions: Record<VirtualAccountStatus, VirtualAccountStatus[]> = {
	CREATED: ['ACTIVE', 'ACTIVATION_FAILED', 'CLOSED'],
	ACTIVE: ['BLOCKED', 'CLOSED'],
	ACTIVATION_FAILED: ['CLOSED'],
	BLOCKED: ['UNBLOCKING', 'CLOSED'],
	UNBLOCKING: ['ACTIVE', 'BLOCKED'],
	CLOSED: [],
};

/** Throws a 409 that names the statuses that may follow. */
export function checkTransition<Status extends string>(
	table: Record<Status, Status[]>,
	from: Status,
	to: Status,
): void {
	if (table[from].includes(to)) return;
	const may =
		table[from].length > 0
			? `${from} may be followed by ${table[from].join(', ')}`
			: `${from} is final`;
	throw new ServiceError(
		409,
		'STATUS_NOT_POSSIBLE',
		`The status cannot go from ${from} to ${to}: ${may}.`,
	);
}
