/*
 * The data tables that all jobs share, and the seal of a row. docs/jobs/model.md explains them.
 */

/** The columns of each sealed table, in the order in which the seal has them. */
export const COLUMNS = {
	payments: [
		...['externalId', 'invoice', 'supplier', 'name', 'payeeName', 'account', 'country', 'amount'],
		...[
			'currency',
			'method',
			'senderEntity',
			'senderAccount',
			'senderCountry',
			'job',
			'run',
			'row',
			'requestedBy',
		],
		...['reasons', 'decision', 'decidedBy', 'decidedAt', 'result', 'explanation', 'day'],
		...['firstSentAt', 'sentAt', 'acceptedAt', 'paymentId', 'status', 'statusAt', 'history'],
		'previous',
	],
	payees: [
		...['supplier', 'name', 'account', 'country', 'equalEvery', 'state', 'evidence', 'enteredBy'],
		...['enteredAt', 'approvedBy', 'approvedAt', 'history', 'previous'],
	],
	runs: [
		...['run', 'job', 'requestedBy', 'requestedAt', 'fileName', 'fileHash', 'payments', 'totals'],
		...['leftOut', 'rows', 'digest', 'decidedBy', 'decidedAt', 'comment', 'settings'],
		...['history', 'previous'],
	],
	log: ['at', 'who', 'what', 'from', 'to', 'run', 'previous'],
} as const;

export type SealedTable = keyof typeof COLUMNS;

/** The uploaded files, as base64. What a file is has its SHA-256 in the row of its run. */
export const FILES_COLUMNS = ['run', 'fileName', 'content'] as const;

export const SETTINGS_COLUMNS = ['setting', 'currency', 'value', 'note'] as const;

/** The settings that *Set up payments* adds. */
export const DEFAULT_SETTINGS: Array<[setting: string, currency: string, value: string]> = [
	['stopped', '', 'no'],
	['time zone', '', 'Europe/Copenhagen'],
	['sender entity', '', 'eus_harbour_bakery'],
	['sender country', '', 'DK'],
	...['EUR', 'GBP', 'USD', 'CHF', 'JPY'].map((currency): [string, string, string] => [
		'sender account',
		currency,
		'vac_harbour_bakery_eur',
	]),
	['approver', '', 'approver@example.com'],
	['approver', '', 'deputy@example.com'],
	...['EUR', 'GBP', 'USD', 'CHF'].flatMap(
		(currency): Array<[string, string, string]> => [
			['1 approver up to', currency, '10000'],
			['2 approvers up to', currency, '1000000'],
			['per day', currency, '2000000'],
			['per day and payee', currency, '1000000'],
		],
	),
	['1 approver up to', 'JPY', '1000000'],
	['2 approvers up to', 'JPY', '100000000'],
	['per day', 'JPY', '200000000'],
	['per day and payee', 'JPY', '100000000'],
	['agent up to', 'EUR', '150'],
	['agent per day', 'EUR', '400'],
	['new account days', '', '5'],
	['duplicate days', '', '25'],
	['unusual factor', '', '10'],
	['approve within days', '', '3'],
	['remind after hours', '', '24'],
	['retry hours', '', '23'],
	['events due within hours', '', '24'],
	['alert to', '', 'payments@example.com'],
	['alert from', '', 'n8n@example.com'],
	['sending', '', '1970-01-01T00:00:00.000Z'],
];

/** The text that is sealed: the columns of the item of an expression, as a list. */
export const sealedText = (table: SealedTable) =>
	`={{ JSON.stringify(${JSON.stringify(COLUMNS[table])}.map((name) => String($json[name] ?? ''))) }}`;
