export interface Party {
	externalEntityId: string;
	externalPaymentChannelId: string;
	countryCode: string;
}

/** Service interface, sections 2.1 and 2.2. */
export interface Transaction {
	eventId: string;
	externalId: string;
	externalStatus?: string | null;
	reference: string;
	amount: string;
	currency: string;
	baseAmount: string;
	paymentScheme: string;
	sender: Party;
	recipient: Party;
	externalCreatedAt: number;
	receivedAt: number;
}

export interface StoredTransaction {
	eventId: string;
	transaction: Transaction;
	firstSeenAt: number;
	/** How often this eventId came; above 1 the others were answered 409. */
	seen: number;
	/** Scope of the token that created it. */
	scope: string;
	paymentId?: string;
}

export type PaymentStatus =
	| 'CREATED'
	| 'PROCESSING'
	| 'COMPLIANCE_REVIEW'
	| 'AWAITING_APPROVAL'
	| 'COMPLETED'
	| 'REJECTED'
	| 'FAILED'
	| 'RETURNED';

/** Public practice, States. */
export interface Payment {
	id: string;
	fromId: string;
	toId: string;
	direction: 'PAYIN' | 'PAYOUT' | 'TRANSFER';
	reference: string;
	amount: string;
	currency: string;
	paymentScheme: string;
	status: PaymentStatus;
	createdAt: number;
	updatedAt: number;
	/** For a payment that came from a transaction: its eventId and externalId. */
	metadata: Record<string, unknown>;
}

export type NewPayment = Pick<Payment, 'amount' | 'currency'> &
	Partial<Pick<Payment, 'fromId' | 'toId' | 'reference' | 'paymentScheme' | 'metadata'>>;

export type VirtualAccountStatus =
	| 'CREATED'
	| 'ACTIVE'
	| 'ACTIVATION_FAILED'
	| 'BLOCKED'
	| 'UNBLOCKING'
	| 'CLOSED';

export interface VirtualAccount {
	id: string;
	label: string;
	currency: string;
	status: VirtualAccountStatus;
	bankDetails: { iban: string; bic: string } | null;
	createdAt: number;
	updatedAt: number;
	metadata: Record<string, unknown>;
}

export type NewVirtualAccount = Partial<Pick<VirtualAccount, 'label' | 'currency' | 'metadata'>>;
