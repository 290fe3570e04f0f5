import { COLUMNS, DEFAULT_SETTINGS, FILES_COLUMNS, SETTINGS_COLUMNS } from './model';
import { chain, createTable, exists, insert, node, type Job } from './workflow';

const rowsOfSettings = DEFAULT_SETTINGS.map(([setting, currency, value]) => ({
	setting,
	currency,
	value,
	note: '',
}));

export const setup: Job = {
	file: 'set-up-payments',
	name: 'Set up payments',
	lines: [
		[
			node('When clicking ‘Execute workflow’', 'manualTrigger', 1, {}),
			createTable('Create Table of Payments', 'payments', [...COLUMNS.payments, 'seal']),
			createTable('Create Table of Payees', 'payees', [...COLUMNS.payees, 'seal']),
			createTable('Create Table of Payout Runs', 'runs', [...COLUMNS.runs, 'seal']),
			createTable('Create Table of Files', 'files', FILES_COLUMNS),
			createTable('Create Log', 'log', [...COLUMNS.log, 'seal']),
			createTable('Create Table of Settings', 'settings', SETTINGS_COLUMNS),
			node('Defaults', 'set', 3.4, {
				mode: 'raw',
				jsonOutput: JSON.stringify({ rows: rowsOfSettings }, null, '\t'),
				options: {},
			}),
			node('Each Setting', 'splitOut', 1, { fieldToSplitOut: 'rows', options: {} }),
			exists('Only Missing Ones', 'rowNotExists', 'settings', [
				['setting', 'eq', '={{ $json.setting }}'],
			]),
			insert('Add Setting', 'settings', SETTINGS_COLUMNS),
		],
	],
	connections: chain(
		'When clicking ‘Execute workflow’',
		'Create Table of Payments',
		'Create Table of Payees',
		'Create Table of Payout Runs',
		'Create Table of Files',
		'Create Log',
		'Create Table of Settings',
		'Defaults',
		'Each Setting',
		'Only Missing Ones',
		'Add Setting',
	),
	notes: [
		{
			line: 0,
			height: 230,
			width: 1100,
			content:
				"## Set up payments\nExecute this workflow once. It creates the six data tables of all jobs, and adds the settings that aren't there yet. It changes nothing that is there.\n\nThen open the data table `settings`, and enter your approvers, your account for each currency, the limits, and the time zone. The page *The model that all jobs share* in the docs says what each setting means.",
		},
	],
};
