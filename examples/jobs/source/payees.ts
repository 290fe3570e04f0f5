import { COLUMNS } from './model';
import { isApprover, log, readCells, settings, userOf } from './shared';
import {
	chain,
	code,
	ending,
	formTrigger,
	insert,
	only,
	page,
	rows,
	seal,
	updateSealed,
	type Job,
} from './workflow';

const WHO = userOf('Approve Payees');

const text = (fieldLabel: string, placeholder: string) => ({
	fieldLabel,
	fieldType: 'text',
	placeholder,
	requiredField: false,
});

export const payees: Job = {
	file: 'payees',
	name: 'Payees',
	lines: [
		[
			formTrigger(
				'Enter Payees',
				'payees',
				'Enter accounts of suppliers',
				'Enter one account, or upload a file (.xlsx, .csv) with the columns Supplier, Supplier Account, Country, Evidence, and, if you like, Supplier Name and Equal Payment Every (Days). Somebody else approves them. As evidence, enter what you checked, such as a call to a number that you knew before. For accounts that you paid before, enter Paid before.',
				[
					text('Supplier', 'e.g. eus_nordic_paper'),
					text('Supplier Account', 'e.g. vac_nordic_paper'),
					text('Country', 'e.g. SE'),
					text('Supplier Name', 'e.g. Nordic Paper AB'),
					text('Equal Payment Every (Days)', 'e.g. 7, if the same amount is paid each week'),
					text('Evidence', 'e.g. Call-back on 24 Nov to +46 8 123 456, Ms Berg'),
					{
						fieldLabel: 'File',
						fieldType: 'file',
						multipleFiles: false,
						acceptFileTypes: '.csv, .xlsx',
						requiredField: false,
					},
				],
				'Ask for approval',
			),
			only('if', 'Has a File', "={{ $binary.File?.fileName ?? '' }}", 'notEmpty'),
			readCells('Read Payees'),
			code('Cells', 'cells', {}, ['Upload Payout File', 'Enter Payees']),
			rows('Known Payees', 'payees'),
			code('New Payees', 'payeesToEnter'),
			only('if', 'Some Are New', '={{ $json.supplier }}', 'notEmpty'),
			seal('Seals', 'payees'),
			insert('Save Payees', 'payees', [...COLUMNS.payees, 'seal']),
			ending('Entered', 'Accounts', "={{ $('New Payees').first().json.says }}"),
		],
		[
			formTrigger(
				'Approve Payees',
				'payees-approval',
				'Approve accounts',
				"See the accounts that wait. Who entered an account can't approve it. To end one that is approved, enter it.",
				[text('End an Account', 'e.g. vac_nordic_paper, or its supplier')],
				'Show accounts',
			),
			settings(),
			rows('Payees', 'payees'),
			seal('Seals of Payees', 'payees', 'check'),
			log('Log', {
				who: `={{ ${WHO} }}`,
				what: `={{ ${isApprover(WHO)} ? '' : 'opened Approve accounts, and may not approve' }}`,
			}),
			code('Payee List', 'payeeList'),
			code('Tables', 'payeeTables'),
			code('Page', 'tablesPage'),
			page(
				'Decide Payees',
				'Approve accounts',
				"An account that waits, and that you don't tick, is declined.",
				'Decide',
			),
			code('Payee Decision', 'payeeDecision', { alwaysOutputData: true }),
			only('if', 'Is Decided', '={{ $json.supplier }}', 'notEmpty'),
			seal('Seals of Decisions', 'payees'),
			updateSealed('Save Decisions', 'payees'),
			{
				...log('Log Decisions', {
					who: `={{ ${WHO} }}`,
					what: "={{ $json.state ? 'account ' + $json.state : '' }}",
					from: "={{ $json.enteredBy ? 'entered by ' + $json.enteredBy : '' }}",
					to: "={{ [$json.supplier, $json.account, $json.country, $json.evidence].join(', ') + '. Checked: ' + $('Decide Payees').first().json['What you checked'] }}",
				}),
				executeOnce: false,
			},
			ending(
				'Decided',
				"={{ $('Save Decisions').isExecuted ? 'Accounts' : 'Nothing was changed' }}",
				"={{ $('Save Decisions').isExecuted ? ['approved', 'declined', 'ended'].map((state) => $('Save Decisions').all().filter(({ json }) => json.state === state).length + ' ' + state).join(', ') + '.' : 'You can close this page.' }}",
			),
		],
	],
	connections: {
		...chain('Enter Payees', 'Has a File'),
		'Has a File': ['Read Payees', 'Known Payees'],
		...chain('Read Payees', 'Cells', 'Known Payees', 'New Payees', 'Some Are New'),
		'Some Are New': ['Seals', 'Entered'],
		...chain('Seals', 'Save Payees', 'Entered'),
		...chain(
			'Approve Payees',
			'Settings',
			'Payees',
			'Seals of Payees',
			'Log',
			'Payee List',
			'Tables',
			'Page',
			'Decide Payees',
			'Payee Decision',
			'Is Decided',
		),
		'Is Decided': ['Seals of Decisions', 'Decided'],
		...chain('Seals of Decisions', 'Save Decisions', 'Log Decisions', 'Decided'),
	},
	notes: [
		{
			line: 0,
			height: 220,
			width: 1100,
			content:
				'## Payees: enter accounts\nOnly an approved account is paid. A new or changed account is entered here, or loaded from a file, and somebody else approves it.\n\n**Change after the import:** the credential *Payment seals*. Then publish. The forms are at `/form/payees` and `/form/payees-approval`.',
		},
		{
			line: 1,
			height: 100,
			width: 1100,
			content:
				'## Payees: approve accounts\nThe new account stands beside those that the supplier has until now.',
		},
	],
};
