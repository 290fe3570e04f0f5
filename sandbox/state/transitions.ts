import type { PaymentStatus } from '../types';
import { ServiceError } from './serviceError';

/**
 * The statuses that can follow each status of a payment (docs/interface.md, 10.3). A payment is
 * RETURNED after it was COMPLETED.
 */
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

/**
 * Why a payment ended so, with the code of ISO 20022 (External Status Reason) for it, so that what
 * somebody shows of a reason can be tried. The interface has no member for it.
 */
export const statusReasons: Partial<Record<PaymentStatus, string>> = {
	REJECTED: 'RR04: Regulatory reason',
	FAILED: 'AM04: Insufficient funds',
	RETURNED: 'AC04: Closed account number',
};

/** Throws a 409 that names the statuses that can follow. */
export function checkTransition(from: PaymentStatus, to: PaymentStatus): void {
	if (paymentTransitions[from].includes(to)) return;
	const following = paymentTransitions[from].join(', ');
	const rule = following ? `${from} can be followed by ${following}` : `${from} is final`;
	throw new ServiceError(
		409,
		'STATUS_NOT_POSSIBLE',
		`The status can't change from ${from} to ${to}: ${rule}.`,
	);
}
