/**
 * What is sent in every measurement: a whole transaction (docs/interface.md, 2.1) with ids
 * of its own.
 */
function transactionAt(index: number) {
	return {
		eventId: `evt_${index}`,
		externalId: `pmt_${index}`,
		externalStatus: null,
		reference: `Invoice 2025-${index}`,
		amount: `${index + 1}.50`,
		currency: 'EUR',
		baseAmount: `${index + 1}.50`,
		paymentScheme: 'SCT',
		sender: {
			externalEntityId: 'pyr_xz3l6d7b4k631myjr5',
			externalPaymentChannelId: 'pyr_xz3l6d7b4k631myjr5',
			countryCode: 'BE',
		},
		recipient: {
			externalEntityId: 'eus_v8jkx67no9g0dbglam',
			externalPaymentChannelId: 'vac_ong3zm73oela7b2jkr',
			countryCode: 'DK',
		},
		externalCreatedAt: 1748432324513,
		receivedAt: 1748432324728,
	};
}

/** The same transactions as items, made by a Code node before the node that is measured. */
export const makeItems = (count: number) => `${transactionAt.toString()}
return Array.from({ length: ${count} }, (_, index) => ({ json: transactionAt(index) }));`;
