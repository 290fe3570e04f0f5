import { fields } from './otherNodes';
import { log, settings } from './shared';
import { chain, code, ending, formTrigger, node, rows, seal, type Job } from './workflow';

const text = (column: string) => `$json.${column} ?? ''`;
/** The columns of the file. Amounts are numbers, so that a spreadsheet sums them. */
const LIST = {
	Run: text('run'),
	Row: "$json.row ? Number($json.row) || $json.row : ''",
	Supplier: text('supplier'),
	'Name in File': text('name'),
	'Name in Payees': text('payeeName'),
	Account: text('account'),
	Invoice: text('invoice'),
	Amount: "$json.amount ? Number($json.amount) : ''",
	Currency: text('currency'),
	Result: "$json.result ?? 'Nothing was found.'",
	Decision: text('decision'),
	Explanation: text('explanation'),
	Held: text('reasons'),
	'Asked For By': text('requestedBy'),
	'Decided By': text('decidedBy'),
	'Decided At': text('decidedTime'),
	'Sent At': text('sentTime'),
	'Time Zone': "$('Evidence').first().json.zone",
	'External ID': text('externalId'),
	Status: text('status'),
	'Seal Is Right': "$json.seal === $json.check ? 'yes' : 'NO'",
	History: text('history'),
};

export const paymentEvidence: Job = {
	file: 'payment-evidence',
	name: 'Payment evidence',
	lines: [
		[
			formTrigger(
				'Show Payments',
				'payment-evidence',
				'Payment evidence',
				'See what is open (what was rejected, failed, or came back is in its run and its day), one run, or one day. You also get a list as a file, and the file that was uploaded for a run.',
				[
					{
						fieldLabel: 'Show',
						fieldType: 'dropdown',
						fieldOptions: {
							values: [{ option: 'Open items' }, { option: 'A payout run' }, { option: 'A day' }],
						},
						requiredField: true,
					},
					{
						fieldLabel: 'Which',
						fieldType: 'text',
						placeholder: 'e.g. 51, or 2026-11-24',
						requiredField: false,
					},
				],
				'Show',
			),
			settings(),
			log('Log'),
			rows('Runs', 'runs'),
			seal('Run Seals', 'runs', 'check'),
			rows('Payments', 'payments'),
			seal('Seals', 'payments', 'check'),
			code('Evidence', 'evidence'),
		],
		[
			rows('Kept File', 'files', [
				['run', 'eq', "={{ $('Show Payments').first().json.Which?.trim() ?? '' }}"],
			]),
			node(
				'Uploaded File',
				'convertToFile',
				1.1,
				{
					...{ operation: 'toBinary', sourceProperty: 'content', binaryPropertyName: 'upload' },
					options: { fileName: '={{ $json.fileName }}' },
				},
				{ onError: 'continueRegularOutput' },
			),
			node(
				'Hash of File',
				'crypto',
				2,
				{
					...{ action: 'hash', type: 'SHA256', binaryData: true },
					...{ binaryPropertyName: 'upload', dataPropertyName: 'fileHash', encoding: 'hex' },
				},
				{ onError: 'continueRegularOutput' },
			),
			code('Run Warnings', 'runWarnings'),
			code('Totals', 'evidenceTotals'),
			code('Left Out', 'evidenceLeftOut'),
			code('Tables', 'evidenceTables'),
			code('Page', 'tablesPage'),
		],
		[
			{
				...node('Each Payment', 'splitOut', 1, { fieldToSplitOut: 'listed', options: {} }),
				...{ alwaysOutputData: true },
			},
			fields('List', LIST, false),
			node('File', 'convertToFile', 1.1, {
				operation: 'xlsx',
				binaryPropertyName: 'data',
				options: { fileName: 'payments.xlsx', sheetName: 'Payments' },
			}),
			ending(
				'Give Evidence',
				"={{ $('Page').first().json.title }}",
				"={{ $('Page').first().json.html }}",
				{
					respondWith: 'returnBinary',
					inputDataFieldName: "={{ $('Page').first().json.isKept ? 'data,upload' : 'data' }}",
				},
			),
		],
	],
	connections: {
		...chain(
			...['Show Payments', 'Settings', 'Log', 'Runs', 'Run Seals', 'Payments', 'Seals', 'Evidence'],
			...['Kept File', 'Uploaded File', 'Hash of File', 'Run Warnings', 'Totals'],
			...['Left Out', 'Tables', 'Page'],
			...['Each Payment', 'List', 'File', 'Give Evidence'],
		),
	},
	notes: [
		{
			line: 0,
			height: 200,
			width: 1100,
			content:
				"## Payment evidence\nPages for an auditor: what is open, a payout run with its decision, a day with its totals. Each row's seal, the log, and the uploaded file are verified whenever they're shown.\n\n**Change after the import:** the credential *Payment seals*. Then publish. The form is at `/form/payment-evidence`.",
		},
	],
};
