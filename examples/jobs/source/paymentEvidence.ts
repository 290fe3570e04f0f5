import { settings } from './shared';
import { chain, code, ending, formTrigger, node, rows, seal, type Job } from './workflow';

export const paymentEvidence: Job = {
	file: 'payment-evidence',
	name: 'Payment evidence',
	lines: [
		[
			formTrigger(
				'Show Payments',
				'payment-evidence',
				'Payment evidence',
				'See what is open, one run, or one day. You also get a file.',
				[
					{
						fieldLabel: 'Show',
						fieldType: 'dropdown',
						fieldOptions: {
							values: [{ option: 'Open items' }, { option: 'A run' }, { option: 'A day' }],
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
			rows('Runs', 'runs'),
			seal('Run Seals', 'runs', 'check'),
			rows('Payments', 'payments'),
			seal('Seals', 'payments', 'check'),
			code('Evidence', 'evidence'),
			code('Page', 'evidencePage'),
		],
		[
			node('Each Payment', 'splitOut', 1, { fieldToSplitOut: 'lines', options: {} }),
			node('File', 'convertToFile', 1.1, {
				operation: 'xlsx',
				binaryPropertyName: 'data',
				options: { fileName: 'payments.xlsx', sheetName: 'Payments' },
			}),
			ending(
				'Give Evidence',
				"={{ $('Page').first().json.title }}",
				"={{ $('Page').first().json.message }}",
				{ respondWith: 'returnBinary', inputDataFieldName: 'data' },
			),
		],
	],
	connections: {
		...chain(
			'Show Payments',
			'Settings',
			'Runs',
			'Run Seals',
			'Payments',
			'Seals',
			'Evidence',
			'Page',
			'Each Payment',
			'File',
			'Give Evidence',
		),
	},
	notes: [
		{
			line: 0,
			height: 200,
			width: 1100,
			content:
				"## Payment evidence\nPages for an auditor: what is open, a payout run with its decision, a day with its totals. Each row's seal is verified whenever it's shown.\n\n**Change after the import:** the credential *Payment seals*. Then publish. The form is at `/form/payment-evidence`.",
		},
	],
};
