import { checkPayments, savePayoutRun, settings } from './shared';
import { chain, code, node, only, rows, seal, updateSealed, type Job } from './workflow';

/** In an expression: a value that all payments have, which were asked for at once. */
const first = (name: string) => `={{ $('Check Payments').first().json.${name} }}`;

export const askForPayments: Job = {
	file: 'ask-for-payments',
	name: 'Ask for payments',
	lines: [
		[
			node('Payments Asked For', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
			checkPayments(),
			settings(),
			only(
				'if',
				'Something Can Be Asked For',
				"={{ $('Check Payments').all().some(({ json }) => json.verdict === 'to approve') ? 'yes' : '' }}",
				'notEmpty',
				undefined,
				{ executeOnce: true },
			),
			savePayoutRun({
				job: first('job'),
				requestedBy: first('requestedBy'),
				rows: "={{ JSON.stringify($('Check Payments').all().map(({ json }) => json)) }}",
			}),
		],
		[
			only('if', 'Is It the Agent', first('job'), 'equals', 'agent'),
			rows('Payments of the Agent', 'payments', [['job', 'eq', 'agent']]),
			code('Limits of the Agent', 'agentLimits'),
			code('Decisions of the Agent', 'agentDecisions'),
			seal('Seals of Decisions', 'payments'),
			updateSealed('Save Decisions', 'payments'),
			code('Answers', 'askedAnswers'),
		],
	],
	connections: {
		...chain('Payments Asked For', 'Check Payments', 'Settings', 'Something Can Be Asked For'),
		'Something Can Be Asked For': ['Save Payout Run', 'Answers'],
		...chain('Save Payout Run', 'Is It the Agent'),
		'Is It the Agent': ['Payments of the Agent', 'Answers'],
		...chain('Payments of the Agent', 'Limits of the Agent', 'Decisions of the Agent'),
		...chain('Decisions of the Agent', 'Seals of Decisions', 'Save Decisions', 'Answers'),
	},
	notes: [
		{
			line: 0,
			height: 180,
			width: 1100,
			content:
				'## Ask for payments\nA sub-workflow of the jobs that ask for payments without a file: *AI agent* and *Recurring payments*. It checks them by the same rules as a file, saves a payout run that somebody has to approve, and says what became of each. Nothing is sent here.\n\n**Change after the import:** the credential *Payment seals*. Then publish.',
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
