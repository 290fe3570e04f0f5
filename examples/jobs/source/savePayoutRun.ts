import { whenCalled } from './otherNodes';
import { log, RUN_VALUES, settings } from './shared';
import { FILES_COLUMNS } from './model';
import { chain, code, email, insert, only, seal, type Job } from './workflow';

const ASKED = 'Payout Run Asked For';

export const savePayoutRun: Job = {
	file: 'save-payout-run',
	name: 'Save payout run',
	lines: [
		[
			whenCalled(ASKED, [...RUN_VALUES]),
			settings(),
			only('if', 'Has a File', `={{ $('${ASKED}').first().json.fileHash }}`, 'notEmpty', '', {
				executeOnce: true,
			}),
			insert('Keep File', 'files', FILES_COLUMNS, {
				run: '={{ $execution.id }}',
				fileName: `={{ $('${ASKED}').first().json.fileName }}`,
				content: `={{ $('${ASKED}').first().json.content }}`,
			}),
			code('Run', 'run'),
		],
		[
			seal('Run Seal', 'runs'),
			insert('Save Run', 'runs'),
			log('Log Run', {
				who: '={{ $json.requestedBy }}',
				what: 'payout run: asked for',
				to: '={{ $json.seal }}',
				run: '={{ $json.run }}',
			}),
			code('Payments to Save', 'rowsToSave', { executeOnce: true }),
			seal('Seals', 'payments'),
			insert('Save Payments', 'payments'),
		],
		[
			only('if', 'A Person Decides', "={{ $('Run').first().json.job }}", 'notEquals', 'agent', {
				executeOnce: true,
			}),
			{
				...email(
					'Tell Approvers',
					"=Payout run {{ $('Run').first().json.run }} waits for approval",
					"={{ $('Run').first().json.requestedBy }} asks to pay {{ $('Run').first().json.totals }}. Open the form payout-approval of n8n. Keep this email: the seal of the run is {{ $('Save Run').first().json.seal }}.",
					"={{ $('Settings').all().filter(({ json }) => json.setting === 'approver').map(({ json }) => json.value).join(', ') }}",
				),
				onError: 'continueRegularOutput',
			},
			code('Saved Payments', 'savedPayments'),
		],
	],
	connections: {
		...chain(ASKED, 'Settings', 'Has a File'),
		'Has a File': ['Keep File', 'Run'],
		...chain('Keep File', 'Run', 'Run Seal', 'Save Run', 'Log Run', 'Payments to Save', 'Seals'),
		...chain('Seals', 'Save Payments', 'A Person Decides'),
		'A Person Decides': ['Tell Approvers', 'Saved Payments'],
		'Tell Approvers': ['Saved Payments'],
	},
	notes: [
		{
			line: 0,
			height: 180,
			width: 1100,
			content:
				'## Save payout run\nA sub-workflow of the jobs that ask for payments. It keeps the file, saves the payout run with the External IDs of its payments, then the payments, and tells the approvers. If n8n stops in between, the payout run can only be declined. Nothing is sent here.\n\n**Change after the import:** the credentials *Payment seals* and *SMTP account*. Then publish.',
		},
	],
};
