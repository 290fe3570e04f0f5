/** Stands for every kind, also for those that no list has. */
export const ALL_EVENTS = '*';

/** The eventTypes that the service recommends to listen to as a minimum (service interface, section 6). */
export const recommendedEventTypes = [
	'VIRTUAL_ACCOUNT.STATUS_UPDATED',
	'PAYMENT.CREATED',
	'PAYMENT.STATUS_UPDATED',
];

/** What happens to what, as seen in public (public practice, Event eventTypes). */
const SEEN: Array<[subject: string, changes: string]> = [
	[
		'BUSINESS_END_USER',
		'BUSINESS_DETAILS_UPDATED CREATED DELETED LINKED_CRYPTO_WALLETS_UPDATED METADATA_UPDATED STATUS_UPDATED UPDATED',
	],
	[
		'FIAT_ACCOUNT',
		'BALANCE_UPDATED BANK_DETAILS_UPDATED CREATED LABEL_UPDATED METADATA_UPDATED STATUS_UPDATED TAGS_UPDATED UPDATED',
	],
	[
		'INDIVIDUAL_END_USER',
		'CREATED LINKED_CRYPTO_WALLETS_UPDATED METADATA_UPDATED PERSONAL_DETAILS_UPDATED STATUS_UPDATED UPDATED',
	],
	['PAYEE', 'CREATED DELETED STATUS_UPDATED'],
	['PAYMENT', 'CREATED METADATA_UPDATED PROCESSED_PAYMENT_SCHEME_UPDATED STATUS_UPDATED UPDATED'],
	['RETURN', 'CREATED STATUS_UPDATED UPDATED'],
	[
		'VIRTUAL_ACCOUNT',
		'BANK_DETAILS_UPDATED CREATED LABEL_UPDATED METADATA_UPDATED STATUS_UPDATED UPDATED',
	],
];

const words = (name: string) => name.toLowerCase().replaceAll('_', ' ');

/** `X.UPDATED` fires for any change of X, `X.Y_UPDATED` only for Y. */
function meaning(subject: string, change: string): string {
	const thing = `${/^[AEIO]/.test(subject) ? 'an' : 'a'} ${words(subject)}`;
	if (change === 'UPDATED') return `Anything about ${thing} changed`;
	if (change.endsWith('_UPDATED'))
		return `The ${words(change.slice(0, -'_UPDATED'.length))} of ${thing} changed`;
	return `${thing[0].toUpperCase()}${thing.slice(1)} was ${words(change)}`;
}

/** The eventTypes seen in public, in alphabetical order, each with what it tells. */
export const eventTypes: Record<string, string> = Object.fromEntries(
	SEEN.flatMap(([subject, changes]) =>
		changes.split(' ').map((change) => [`${subject}.${change}`, meaning(subject, change)]),
	),
);
