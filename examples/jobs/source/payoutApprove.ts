import { checkPayments, isApprover, log, settings, userOf } from './shared';
import {
	chain,
	code,
	ending,
	formTrigger,
	page,
	rows,
	seal,
	updateSealed,
	only,
	type Job,
} from './workflow';

const WHO = userOf('Approve Payouts');
const MAY_LOOK = `${isApprover(WHO)} || $('Run Seals').all().some(({ json }) => json.requestedBy === ${WHO})`;
const DECIDED = "$('Decided Run').first().json";
const CHOICE = "$('Decide').first().json.Decision";
const IS_DECIDED = "$('Decided Run').isExecuted";

export const payoutApprove: Job = {
	file: 'payout-run-2-approve',
	name: 'Payout run 2: approve',
	lines: [
		[
			formTrigger(
				'Approve Payouts',
				'payout-approval',
				'Approve payouts',
				'See the runs that you can decide, and those that you can withdraw.',
				[],
				'Show payout runs',
			),
			settings(),
			rows('Waiting Payments', 'payments', [['result', 'eq', 'to approve']]),
			rows('Runs', 'runs'),
			seal('Run Seals', 'runs', 'check'),
			log('Log', {
				who: `={{ ${WHO} }}`,
				what: `={{ ${MAY_LOOK} ? '' : 'opened Approve payouts, and may not approve' }}`,
			}),
			code('Run List', 'runList'),
			page('Choose Run', 'Approve payouts', 'Choose a run to see its payments.', 'Show payments'),
		],
		[
			rows('Payments of Payout Run', 'payments', [['run', 'eq', "={{ $json.Run ?? '' }}"]]),
			seal('Seals', 'payments', 'check'),
			code('Payments to Decide', 'rowsToDecide'),
			checkPayments(),
			code('Review', 'reviewLists'),
			code('Page', 'reviewPage'),
			page('Decide', 'Approve payouts', 'What you approve is sent, and nothing else.', 'Decide'),
		],
		[
			code('Approved Rows', 'approvedRows'),
			code('Decision', 'decision', { alwaysOutputData: true }),
			only('if', 'Is Decided', '={{ $json.externalId }}', 'notEmpty'),
			seal('Seals of Decisions', 'payments'),
			updateSealed('Save Decisions', 'payments'),
			code('Decided Run', 'decidedRun'),
			seal('Run Seal', 'runs'),
			updateSealed('Save Run', 'runs'),
			log('Log Decision', {
				who: `={{ ${userOf('Decide')} }}`,
				what: `={{ ${IS_DECIDED} ? 'payout run: ' + ${CHOICE} : ${CHOICE} ? 'may not decide: ' + ${CHOICE} : '' }}`,
				from: `={{ ${IS_DECIDED} ? ${DECIDED}.previous : '' }}`,
				to: `={{ ${IS_DECIDED} ? ($('Save Run').first().json.seal ?? '') : '' }}`,
				run: "={{ $('Choose Run').first().json.Run ?? '' }}",
			}),
		],
		[
			ending(
				'What Was Done',
				`={{ ${IS_DECIDED} ? 'Run ' + ${DECIDED}.run : 'Nothing was changed' }}`,
				`={{ ${IS_DECIDED} ? ${DECIDED}.history.split('\\n').at(-1).split(': ').slice(1).join(': ') + ' <a href="../form/payout-approval">Decide another run</a>' : 'Somebody else signed in meanwhile, there was nothing to decide, or Leave Out Rows has a number that is none of these payments. <a href="../form/payout-approval">Open the form again</a>' }}`,
			),
		],
	],
	connections: {
		...chain(
			'Approve Payouts',
			'Settings',
			'Waiting Payments',
			'Runs',
			'Run Seals',
			'Log',
			'Run List',
			'Choose Run',
			'Payments of Payout Run',
			'Seals',
			'Payments to Decide',
			'Check Payments',
			'Review',
			'Page',
			'Decide',
			'Approved Rows',
			'Decision',
			'Is Decided',
		),
		'Is Decided': ['Seals of Decisions', 'Log Decision'],
		...chain(
			'Seals of Decisions',
			'Save Decisions',
			'Decided Run',
			'Run Seal',
			'Save Run',
			'Log Decision',
			'What Was Done',
		),
	},
	notes: [
		{
			line: 0,
			height: 220,
			width: 1100,
			content:
				"## Payout run 2: approve\nAn approver, who isn't the one who uploaded, sees what an approval pays, and ticks each held payment that is to be paid. What isn't ticked is declined. Larger payments need a second approver: see `2 approvers up to` in the settings. Who uploaded can withdraw.\n\n**Change after the import:** the credential *Payment seals*. Then publish. The form is at `/form/payout-approval`.",
		},
	],
};
