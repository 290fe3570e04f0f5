import { toSpreadsheet } from './otherNodes';
import { checkPayments, log, readCells, savePayoutRun, settings, userOf } from './shared';
import { chain, code, ending, formTrigger, node, only, page, type Job } from './workflow';

const COLUMNS = [
	...['Invoice', 'Supplier', 'Supplier Account', 'Country'],
	...['Amount', 'Currency', 'Method', 'Supplier Name'],
];
const WHO = userOf('Upload Payout File');
const FILE = "$('Upload Payout File').first().binary.File.fileName";
const HASH = "$('File Hash').first().json.fileHash";
const ROWS = "$('Check Payments').all()";
const IS_ASKED = "$('Save Payout Run').isExecuted";

export const payoutUpload: Job = {
	file: 'payout-run-1-upload',
	name: 'Payout run 1: upload and check',
	lines: [
		[
			formTrigger(
				'Upload Payout File',
				'payout-upload',
				'Payout run',
				'Upload a spreadsheet (.xlsx) or a CSV file with one payment in each row, or a pain.001 file (.xml). Nothing is paid before somebody else approves it. To get a template, select no file.',
				[
					{
						fieldLabel: 'File',
						fieldType: 'file',
						multipleFiles: false,
						acceptFileTypes: '.csv, .xlsx, .xml',
						requiredField: false,
					},
				],
				'Check the file',
			),
			settings(),
			node('Columns', 'set', 3.4, {
				assignments: {
					assignments: COLUMNS.map((name, index) => ({
						...{ id: `a${index + 1}`, name, value: '', type: 'string' },
					})),
				},
				...{ includeOtherFields: true, include: 'selected', includeFields: '' },
				options: { dotNotation: false },
			}),
			// The page of a form leaves out a file that has no bytes.
			only('if', 'Has a File', "={{ $binary.File?.fileName ?? '' }}", 'notEmpty'),
			toSpreadsheet('Template', 'payments.xlsx'),
			ending(
				'Give Template',
				'No file was read',
				'You selected no file, or one that is empty. Nothing was saved. A template with the columns was downloaded.',
				{ respondWith: 'returnBinary', inputDataFieldName: 'file' },
			),
		],
		[
			node('File Content', 'extractFromFile', 1.1, {
				operation: 'binaryToPropery',
				binaryPropertyName: 'File',
				destinationKey: 'content',
				options: { keepSource: 'both' },
			}),
			node('File Hash', 'crypto', 2, {
				action: 'hash',
				type: 'SHA256',
				binaryData: true,
				binaryPropertyName: 'File',
				dataPropertyName: 'fileHash',
				encoding: 'hex',
			}),
			only('if', 'Is XML', '={{ $binary.File.fileName.toLowerCase() }}', 'endsWith', '.xml'),
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
			readCells('Read Cells'),
			code('Cells', 'cells'),
			code('Rows below Header', 'rowsBelowHeader'),
			checkPayments(),
			log('Log Upload', {
				who: `={{ ${WHO} }}`,
				what: 'file uploaded',
				to: `={{ ${FILE} + ', SHA-256 ' + ${HASH} }}`,
			}),
			code('Totals', 'checkTotals'),
			code('Summary', 'summary'),
			code('Page', 'tablesPage'),
		],
		[
			page('Show Check', `=Check of {{ ${FILE} }}`, 'Nothing is paid yet.', 'Continue'),
			only('if', 'Approval Is Wanted', "={{ $json['What Next'] }}", 'equals', 'Ask for approval'),
			savePayoutRun({
				job: 'payout run',
				requestedBy: `={{ ${WHO} }}`,
				fileName: `={{ ${FILE} }}`,
				fileHash: `={{ ${HASH} }}`,
				content: "={{ $('File Content').first().json.content }}",
				rows: `={{ JSON.stringify(${ROWS}.map(({ json }) => json)) }}`,
			}),
			log('Log Stop', {
				who: `={{ ${WHO} }}`,
				what: 'upload stopped',
				to: `={{ ${FILE} + ', SHA-256 ' + ${HASH} }}`,
			}),
			ending(
				'What Was Done',
				`={{ ${IS_ASKED} ? 'Run ' + $('Save Payout Run').first().json.run + ' waits for approval' : 'Nothing was sent' }}`,
				`={{ ${IS_ASKED} ? 'You can close this page. In the form <a href="../form/payout-approval">Approve payouts</a>, you can withdraw it. What became of each payment is in the form <a href="../form/payment-evidence">Payment evidence</a>.' : 'No payment was saved, either. Correct the file and upload it again.' }}`,
			),
		],
	],
	connections: {
		'Upload Payout File': [['Settings', 'Columns']],
		Columns: ['Has a File'],
		'Has a File': ['File Content', 'Template'],
		...chain('Template', 'Give Template'),
		'File Content': [['File Hash', 'Is XML']],
		'Is XML': ['Read XML', 'Read Cells'],
		...chain('Read XML', 'XML to JSON', 'Payments of pain.001', 'Check Payments'),
		...chain(
			...['Read Cells', 'Cells', 'Rows below Header', 'Check Payments', 'Log Upload'],
			...['Totals', 'Summary', 'Page', 'Show Check', 'Approval Is Wanted'],
		),
		'Approval Is Wanted': ['Save Payout Run', 'Log Stop'],
		...chain('Save Payout Run', 'What Was Done'),
		...chain('Log Stop', 'What Was Done'),
	},
	notes: [
		{
			line: 0,
			height: 240,
			width: 1100,
			content:
				'## Payout run 1: upload and check\nSomebody uploads a file, and sees what to correct, what is held and why, and what an approval pays. Nothing is sent here.\n\n**Change after the import:** if your columns have other names, the names in **Columns**, in the same order. Then publish. The form is at `/form/payout-upload`.',
		},
	],
};
