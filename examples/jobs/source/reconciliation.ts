import {
	attachment,
	fields,
	merge,
	plainAmount,
	readCsv,
	readText,
	readXml,
	schedule,
	toSpreadsheet,
	ZONE,
} from './otherNodes';
import { settings } from './shared';
import { chain, code, ending, formTrigger, only, rows, seal, type Job } from './workflow';

/* What was sent, compared with the events each morning, and with a statement of the bank. */

const DEAD = ['rejected', 'failed'];

/** From the settings to the payments, each with what both comparisons need. */
const paymentsToCompare = () => [
	settings(),
	rows('Read Payments', 'payments', [['firstSentAt', 'isNotEmpty']]),
	seal('Calculate Seals', 'payments', 'check'),
	fields('Payments', {
		isGenuine: '={{ $json.seal === $json.check }}',
		isDead: `={{ ${JSON.stringify(DEAD)}.includes($json.result) }}`,
		paid: plainAmount('$json.amount'),
		day: `={{ DateTime.fromISO($json.firstSentAt || $json.sentAt || $json.acceptedAt || '').setZone(${ZONE}).toISODate() ?? '' }}`,
	}),
];

/** Amounts are numbers, so that a spreadsheet sums them. */
const file = (name: string) => [
	fields(
		'File Rows',
		{
			List: '={{ $json.list }}',
			Invoice: "={{ $json.invoice ?? '' }}",
			Supplier: "={{ $json.supplier ?? '' }}",
			'External ID': "={{ $json.externalId ?? '' }}",
			Sent: "={{ $json.amount ? Number($json.amount) : '' }}",
			Currency: '={{ $json.currency ?? $json.entryCurrency }}',
			'Sent on': "={{ $json.day ?? '' }}",
			Booked: "={{ $json.booked ? Number($json.booked) : '' }}",
			'Booked on': "={{ $json.date ?? '' }}",
			'Text of the entry': "={{ $json.text ?? '' }}",
			Finding: '={{ $json.finding }}',
		},
		false,
	),
	toSpreadsheet('To File', name),
];

export const dailyReconciliation: Job = {
	file: 'daily-reconciliation',
	name: 'Daily reconciliation',
	lines: [
		[
			schedule('Every Morning', { field: 'days', triggerAtHour: 6 }),
			...paymentsToCompare(),
			code('Findings', 'morningFindings', { alwaysOutputData: true }),
		],
		[
			...file(`=reconciliation-{{ $now.setZone(${ZONE}).toISODate() }}.xlsx`),
			code('Totals', 'findingsTotals'),
			code('Tables', 'findingsTables'),
			code('Page', 'tablesPage'),
			attachment(
				'Send Result',
				'=Payments until {{ $json.date }}: {{ $json.title }}',
				'={{ $json.html }}',
			),
		],
	],
	connections: chain(
		...['Every Morning', 'Settings', 'Read Payments', 'Calculate Seals', 'Payments', 'Findings'],
		...['File Rows', 'To File', 'Totals', 'Tables', 'Page', 'Send Result'],
	),
	notes: [
		{
			line: 0,
			content:
				"## Daily reconciliation\nEvery morning, this compares what was sent with what the events said: what was paid since yesterday, what came back, what is open, and what nobody has heard of for three days. It reads the data table `payments`, and changes nothing.\n\n**Change after the import:** the credential *Payment seals*, and the SMTP credential. The addresses are `alert from` and `alert to` in the data table `settings`. The time of **Every Morning** is in the workflow's time zone. To compare with your bank, too, import *Reconcile with a statement*.",
			height: 200,
			width: 1280,
		},
	],
};

export const statementReconciliation: Job = {
	file: 'statement-reconciliation',
	name: 'Reconcile with a statement',
	lines: [
		[
			formTrigger(
				'Upload Statement',
				'reconcile-statement',
				'Reconcile with a statement',
				'A statement of your bank: camt.053 (.xml), or CSV with the columns Date, Amount, Currency, and Reference.',
				[
					{
						...{ fieldLabel: 'Statement', fieldType: 'file', multipleFiles: false },
						...{ acceptFileTypes: '.csv, .xml', requiredField: true },
					},
				],
				'Compare',
			),
			readText('Read File', 'Statement'),
			only('if', 'Is camt.053', '={{ $json.data.trimStart().slice(0, 1) }}', 'equals', '<'),
			readXml('Read XML'),
			code('camt.053 Entries', 'camtEntries'),
			only('if', 'Can Be Used', "={{ $json.remark ?? '' }}", 'empty'),
			ending(
				'Not Used',
				"This statement can't be used",
				"={{ $json.remark.replace(/[&<>]/g, (character) => '&#' + character.charCodeAt(0) + ';') }}",
			),
		],
		[
			{ ...readCsv('Read CSV', 'Statement'), position: [660, 380] },
			{ ...code('CSV Entries', 'csvEntries'), position: [880, 380] },
		],
		[
			fields('Entries', { booked: plainAmount('$json.entryAmount') }),
			...paymentsToCompare(),
			code('Named in Entries', 'entryNames'),
			code('Name the Payments', 'nameEntries', { alwaysOutputData: true }),
			merge('Payments and Entries', 'externalId'),
		],
		[
			code('Pairs', 'statementPairs', { alwaysOutputData: true }),
			code('Findings', 'statementFindings', { alwaysOutputData: true }),
			...file(
				"=reconciliation of {{ $('Upload Statement').first().json.Statement[0].filename.replace(/\\.\\w+$/, '') }}.xlsx",
			),
			code('Totals', 'findingsTotals'),
			code('Tables', 'findingsTables'),
			code('Page', 'tablesPage'),
			ending('Show Result', '={{ $json.title }}', '={{ $json.html }}', {
				...{ respondWith: 'returnBinary', inputDataFieldName: 'file' },
			}),
		],
	],
	connections: {
		...chain('Upload Statement', 'Read File', 'Is camt.053'),
		'Is camt.053': ['Read XML', 'Read CSV'],
		...chain('Read XML', 'camt.053 Entries', 'Can Be Used'),
		...chain('Read CSV', 'CSV Entries', 'Can Be Used'),
		'Can Be Used': ['Entries', 'Not Used'],
		...chain('Entries', 'Settings', 'Read Payments', 'Calculate Seals', 'Payments'),
		Payments: [['Payments and Entries', 'Named in Entries']],
		...chain('Named in Entries', 'Name the Payments'),
		'Name the Payments': ['Payments and Entries#1'],
		...chain(
			'Payments and Entries',
			'Pairs',
			'Findings',
			'File Rows',
			'To File',
			'Totals',
			'Tables',
			'Page',
			'Show Result',
		),
	},
	notes: [
		{
			line: 0,
			content:
				'## Reconcile with a statement\n**1. Read the statement.** The form is at `/form/reconcile-statement`, for everybody who can sign in to n8n. If your bank names its columns in another way, change them at the top of **CSV Entries**.',
			height: 120,
			width: 1500,
		},
		{
			line: 2,
			content:
				'**2. Compare.** **Name the Payments** decides which payment an entry is about: by its External ID, or else by its invoice. **Payments and Entries** brings both together. **Pairs** decides what each pair is, **Findings** what has no partner; the days that a payment may take are at the top of both. **Calculate Seals** needs the credential *Payment seals*.',
			height: 110,
			width: 1500,
		},
	],
};
