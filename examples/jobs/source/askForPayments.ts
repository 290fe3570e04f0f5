import { checkPayments, settings } from './shared';
import { chain, code, insert, node, only, rows, seal, updateSealed, type Job } from './workflow';

export const askForPayments: Job = {
	file: 'ask-for-payments',
	name: 'Ask for payments',
	lines: [
		[
			node('Payments Asked For', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
			code('Check Cells', 'checkCells'),
			code('Read Amounts', 'readAmounts'),
			checkPayments(),
			settings(),
			code('Run', 'askedRun', { alwaysOutputData: true }),
			only('if', 'Something Can Be Asked For', '={{ $json.run }}', 'notEmpty'),
			seal('Run Seal', 'runs'),
			insert('Save Run', 'runs'),
			code('Payments to Save', 'askedPayments', { executeOnce: true }),
			seal('Seals', 'payments'),
			insert('Save Payments', 'payments'),
		],
		[
			only('if', 'Is It the Agent', "={{ $('Run').first().json.job }}", 'equals', 'agent'),
			rows('Payments of the Agent', 'payments', [['job', 'eq', 'agent']]),
			code('Limits of the Agent', 'agentLimits'),
			seal('Seals of Decisions', 'payments'),
			updateSealed('Save Decisions', 'payments'),
			code('Answers', 'askedAnswers'),
		],
	],
	connections: {
		...chain(
			'Payments Asked For',
			'Check Cells',
			'Read Amounts',
			'Check Payments',
			'Settings',
			'Run',
			'Something Can Be Asked For',
		),
		'Something Can Be Asked For': ['Run Seal', 'Answers'],
		...chain(
			'Run Seal',
			'Save Run',
			'Payments to Save',
			'Seals',
			'Save Payments',
			'Is It the Agent',
		),
		'Is It the Agent': ['Payments of the Agent', 'Answers'],
		...chain('Payments of the Agent', 'Limits of the Agent', 'Seals of Decisions'),
		...chain('Seals of Decisions', 'Save Decisions', 'Answers'),
	},
	notes: [
		{
			line: 0,
			height: 180,
			width: 1100,
			content:
				'## Ask for payments\nA sub-workflow of the jobs that ask for payments without a file: *AI agent* and *Recurring payments*. It checks them by the same rules as a file, saves a payout run that somebody has to approve, and says what became of each. Nothing is sent here.\n\n**Change after the import:** the credential *Payment seals*; in **Check Payments**, select the workflow *Check payments*. Then publish.',
		},
		{
			line: 1,
			height: 110,
			width: 1100,
			content:
				"### The agent's own limits\nWithout a doubt, and within the settings `agent up to` and `agent per day`, a payment of the agent is approved at once. It's saved before it's counted, so that two conversations at the same moment can't both use what is left.",
		},
	],
};
