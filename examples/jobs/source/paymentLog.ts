import { whenCalled } from './otherNodes';
import { LOG_VALUES, settings } from './shared';
import { chain, code, insert, only, rows, seal, type Job } from './workflow';

export const paymentLog: Job = {
	file: 'payment-log',
	name: 'Payment log',
	lines: [
		[
			whenCalled('What to Log', [...LOG_VALUES]),
			settings(),
			rows('Log', 'log'),
			seal('Log Seals', 'log', 'check'),
			code('New Entries', 'logEntries', { alwaysOutputData: true }),
			only('if', 'Something Is New', "={{ $json.what ?? '' }}", 'notEmpty'),
			seal('Seals', 'log'),
			insert('Add to Log', 'log'),
		],
		[code('Whole Log', 'wholeLog')],
	],
	connections: {
		...chain(...['What to Log', 'Settings', 'Log', 'Log Seals', 'New Entries', 'Something Is New']),
		'Something Is New': ['Seals', 'Whole Log'],
		...chain('Seals', 'Add to Log', 'Whole Log'),
	},
	notes: [
		{
			line: 0,
			height: 200,
			width: 1100,
			content:
				'## Payment log\nA sub-workflow of the other jobs. It adds what they ask for to the data table `log`, and each setting that has another value than the log says. Each entry names the seals of the entries before it, so that one that is changed or deleted shows. The whole log comes out, with a remark on each entry that is wrong.\n\n**Change after the import:** the credential *Payment seals* (a Crypto credential with a long random Hmac Secret, the same in all jobs). Then publish.',
		},
	],
};
