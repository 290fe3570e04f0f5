import { agent, callThisWorkflow, chat, chatModel, pass, whenCalled } from './otherNodes';
import { settings } from './shared';
import {
	chain,
	code,
	ending,
	formTrigger,
	node,
	only,
	rows,
	seal,
	set,
	type Job,
} from './workflow';

/** A chat needs a model, which not everybody wants. */
const OFF = { disabled: true };

const byWebhook = node(
	'Ask by Webhook',
	'webhook',
	2.1,
	{
		httpMethod: 'GET',
		path: 'where-is-my-payment',
		authentication: 'basicAuth',
		responseMode: 'lastNode',
		options: {},
	},
	{
		webhookId: true,
		credentials: { httpBasicAuth: { id: null, name: 'Payment status readers' } },
	},
);

export const whereIsMyPayment: Job = {
	file: 'where-is-my-payment',
	name: 'Where is my payment?',
	lines: [
		[
			formTrigger(
				'Ask by Form',
				'payment-status',
				'Where is my payment?',
				'Enter the invoice, the supplier, or the External ID of a payment.',
				[
					{
						fieldLabel: 'Reference',
						fieldType: 'text',
						placeholder: 'e.g. INV-2026-0042',
						requiredField: true,
					},
				],
				'Look it up',
			),
			set('Question', {
				reference:
					"={{ String($json.Reference ?? $json.query?.reference ?? $json.reference ?? '').trim() }}",
			}),
			settings(),
			rows(
				'Find Payments',
				'payments',
				['externalId', 'invoice', 'supplier'].map((column) => [
					column,
					'eq',
					"={{ $('Question').first().json.reference }}",
				]),
				'anyCondition',
			),
			seal('Calculate Seals', 'payments', 'check'),
			code('Answer', 'answerAboutPayments'),
			only('if', 'Was Asked by Form', "={{ $('Ask by Form').isExecuted }}", 'equals', 'true'),
			ending(
				'Answer to Form',
				'={{ $json.title }}',
				"={{ $json.lines.map((line) => '<p>' + line.replace(/[&<>]/g, (character) => '&#' + character.charCodeAt(0) + ';') + '</p>').join('') }}",
			),
		],
		[byWebhook, { ...pass('Answer to Others'), position: [1540, 450] }],
		[whenCalled('When the Agent Asks', ['reference'])],
		[
			chat(OFF),
			agent(
				'You say what became of payments. Look each reference up with the tool, and say only what the tool returns: result, amount, currency, and time. Several payments can have the same reference: name all of them. Never guess. If the tool finds nothing, say so, and ask the user to check the reference. You cannot create or change payments.',
				OFF,
			),
			chatModel(OFF),
			callThisWorkflow(
				'Look Up Payments',
				'Says what became of every payment that has this reference.',
				{ reference: 'Invoice, supplier, or External ID of a payment, such as INV-2026-0042' },
				OFF,
			),
		],
	],
	connections: {
		...chain(
			'Ask by Form',
			'Question',
			'Settings',
			'Find Payments',
			'Calculate Seals',
			'Answer',
			'Was Asked by Form',
		),
		'Was Asked by Form': ['Answer to Form', 'Answer to Others'],
		'Ask by Webhook': ['Question'],
		'When the Agent Asks': ['Question'],
		'When chat message received': ['AI Agent'],
		'Chat Model': ['ai_languageModel>AI Agent'],
		'Look Up Payments': ['ai_tool>AI Agent'],
	},
	notes: [
		{
			line: 0,
			content:
				'## Where is my payment?\nAnybody who may know asks by invoice, supplier, or External ID, and gets what became of each payment: the row of the data table `payments`, which *Payout run 4: follow* keeps up to date. Execute *Set up payments* once before.\n\n**Ask by Form** is at `/form/payment-status`, for everybody who can sign in to n8n. A program calls **Ask by Webhook** with `?reference=INV-2026-0042`, and the user name and password of *Payment status readers*. **Calculate Seals** needs the credential *Payment seals*.',
			height: 190,
			width: 1180,
		},
		{
			line: 3,
			content:
				'### Questions in a chat\nThese four nodes are off. To use them, select them, press D, and select a credential in **Chat Model**. The agent can look payments up, and nothing else.',
			height: 130,
			width: 700,
		},
	],
};
