import { checkPayments, settings } from './shared';
import {
	chain,
	code,
	email,
	ending,
	formTrigger,
	insert,
	node,
	only,
	page,
	seal,
	type Job,
} from './workflow';

export const payoutUpload: Job = {
	file: 'payout-run-1-upload',
	name: 'Payout run 1: upload and check',
	lines: [
		[
			formTrigger(
				'Upload Payout File',
				'payout-upload',
				'Payout run',
				'Upload a spreadsheet (.xlsx) or a CSV file with one payment in each row, or a pain.001 file (.xml). Its columns are Invoice, Supplier, Supplier Account, Country, Amount, Currency, and Method. Nothing is paid before somebody else approves it.',
				[
					{
						fieldLabel: 'File',
						fieldType: 'file',
						multipleFiles: false,
						acceptFileTypes: '.csv, .xlsx, .xml',
						requiredField: true,
					},
				],
				'Check the file',
			),
			settings(),
			node(
				'File Hash',
				'crypto',
				2,
				{
					action: 'hash',
					type: 'SHA256',
					binaryData: true,
					binaryPropertyName: 'File',
					dataPropertyName: 'fileHash',
					encoding: 'hex',
				},
				{ onError: 'continueRegularOutput' },
			),
			only('if', 'Is XML', "={{ $binary.File?.fileName.toLowerCase() ?? '' }}", 'endsWith', '.xml'),
		],
		[
			node(
				'Read XML',
				'extractFromFile',
				1.1,
				{ operation: 'xml', binaryPropertyName: 'File', destinationKey: 'data', options: {} },
				{ onError: 'continueRegularOutput' },
			),
			node(
				'XML to JSON',
				'xml',
				1,
				{
					mode: 'xmlToJson',
					dataPropertyName: 'data',
					options: { mergeAttrs: true, explicitArray: false },
				},
				{ onError: 'continueRegularOutput' },
			),
			code('Payments of pain.001', 'pain001'),
		],
		[
			node(
				'Read Cells',
				'extractFromFile',
				1.1,
				{
					operation: 'xlsx',
					binaryPropertyName: 'File',
					options: { headerRow: false, range: '0', rawData: true },
				},
				{ onError: 'continueRegularOutput', alwaysOutputData: true },
			),
			code('Cells', 'cells'),
			code('Rows below Header', 'rowsBelowHeader'),
			code('Check Cells', 'checkCells'),
			code('Read Amounts', 'readAmounts'),
			checkPayments(),
			code('Summary', 'summary'),
			page(
				'Show Check',
				"=Check of {{ $('Upload Payout File').first().binary?.File?.fileName ?? 'the file' }}",
				'Nothing is paid yet.',
				'Continue',
			),
		],
		[
			only('if', 'Approval Is Wanted', "={{ $json['What Next'] }}", 'equals', 'Ask for approval'),
			code('Run', 'run'),
			seal('Run Seal', 'runs'),
			insert('Save Run', 'runs'),
			code('Payments to Save', 'rowsToSave', { executeOnce: true }),
			seal('Seals', 'payments'),
			insert('Save Payments', 'payments'),
			ending(
				'Asked for Approval',
				"=Run {{ $('Run').first().json.run }} waits for approval",
				'You can close this page. In the form <a href="../form/payout-approval">Approve payouts</a>, you can withdraw it. What became of each payment is in the form <a href="../form/payment-evidence">Payment evidence</a>.',
				{},
			),
		],
		[
			{
				...email(
					'Tell Approvers',
					"=Payout run {{ $('Run').first().json.run }} waits for approval",
					"={{ $('Run').first().json.requestedBy }} asks to pay {{ $('Run').first().json.totals }}. Open the form payout-approval of n8n.",
					"={{ $('Settings').all().filter(({ json }) => json.setting === 'approver').map(({ json }) => json.value).join(', ') }}",
				),
				executeOnce: true,
				onError: 'continueRegularOutput',
			},
			ending(
				'Nothing Was Sent',
				'Nothing was sent',
				'Nothing was saved, either. Correct the file and upload it again.',
			),
		],
	],
	connections: {
		'Upload Payout File': [['Settings', 'File Hash', 'Is XML']],
		'Is XML': ['Read XML', 'Read Cells'],
		...chain('Read XML', 'XML to JSON', 'Payments of pain.001', 'Check Cells'),
		...chain(
			'Read Cells',
			'Cells',
			'Rows below Header',
			'Check Cells',
			'Read Amounts',
			'Check Payments',
			'Summary',
			'Show Check',
			'Approval Is Wanted',
		),
		'Approval Is Wanted': ['Run', 'Nothing Was Sent'],
		...chain('Run', 'Run Seal', 'Save Run', 'Payments to Save', 'Seals', 'Save Payments'),
		'Save Payments': [['Asked for Approval', 'Tell Approvers']],
	},
	notes: [
		{
			line: 0,
			height: 240,
			width: 1100,
			content:
				'## Payout run 1: upload and check\nSomebody uploads a file, and sees what to correct, what is held and why, and what an approval pays. Nothing is sent here.\n\n**Change after the import:** the credential *Payment seals* (a Crypto credential with a long random Hmac Secret, the same in all jobs) and *SMTP account*; in **Check Payments**, select the workflow *Check payments*; if your columns have other names, the first lines of **Rows below Header**. Then publish. The form is at `/form/payout-upload`.',
		},
		{
			line: 3,
			height: 100,
			width: 1100,
			content:
				'### Save\nFirst the payout run with the External IDs of its payments, then the payments. If n8n stops in between, the payout run can only be declined.',
		},
	],
};
