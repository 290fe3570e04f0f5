import { createHash } from 'node:crypto';
import { runCode, type Json } from '../support/codeNode';

/* The Code nodes of the payment log, and those that compare runs and rows with it. */

const NOW = '2026-11-24T09:00:00.000Z';
const setting = (name: string, value: string, currency = '') => ({
	...{ setting: name, currency, value },
});
const APPROVER = setting('approver', 'amir');
const ASKED = { who: 'lena', what: 'file uploaded', from: '', to: 'a.csv', run: '' };
const seal = ({ at, who, what, from, to, run, previous }: Json) =>
	createHash('sha256')
		.update(JSON.stringify([at, who, what, from, to, run, previous]))
		.digest('hex');

/** Adds to a log as the job does: what was added gets its seal and its ID. */
function add(log: Json[], asked: Json[], settings: Json[] = []): Json[] {
	const read = log.map((one) => ({ ...one, check: seal(one) }));
	const outputs = { Settings: settings, 'What to Log': asked };
	const added = runCode('logEntries', read, outputs, NOW);
	const after = Math.max(0, ...log.map(({ id }) => Number(id)));
	return [
		...log,
		...added.map((one, index) => ({ ...one, seal: seal(one), id: after + 1 + index })),
	];
}
/** The log as the job returns it. */
const whole = (log: Json[]) =>
	runCode('wholeLog', [], { 'Log Seals': log.map((one) => ({ ...one, check: seal(one) })) });
const wrong = (log: Json[]) =>
	whole(log)
		.filter(({ remark }) => remark)
		.map(({ id, remark }) => [id, remark]);

test('each setting is logged when it is seen first, and again when it has another value', () => {
	const first = add([], [], [APPROVER, setting('per day', '5', 'EUR'), setting('sending', '1')]);
	expect(first.map(({ what, from, to }) => [what, from, to])).toEqual([
		['setting approver', '', 'amir'],
		['setting per day EUR', '', '5'],
	]);
	const settings = [setting('approver', 'eve'), APPROVER, setting('sending', '2')];
	expect(
		add(first, [], settings)
			.slice(2)
			.map(({ what, from, to }) => [what, from, to]),
	).toEqual([
		['setting approver', 'amir', 'amir, eve'],
		['setting per day EUR', '5', ''],
	]);
	const whoOf = (log: Json[]) => [...new Set(log.map(({ who }) => who))];
	expect(whoOf(first)).toEqual(['the settings when the log began']);
	const later = add(first, [], settings);
	expect(whoOf(later.slice(2))).toEqual([expect.stringMatching(/^somebody who can write/)]);
	expect(add(later, [], settings)).toEqual(later);
});

test('what a job asks for is logged as it is, and nothing without `what`', () => {
	expect(add([], [ASKED, { ...ASKED, what: '' }])).toEqual([
		expect.objectContaining({ ...ASKED, at: NOW, previous: '' }),
	]);
});

describe('the chain', () => {
	const three = () => [1, 2, 3].reduce<Json[]>((log) => add(log, [ASKED]), []);
	const CHANGED = /was changed/;
	const MISSING = /before this one are missing/;

	test.each<[string, (log: Json[]) => Json[], Array<[number, RegExp]>]>([
		['as it was written', (log) => log, []],
		['with a changed entry', ([a, b, c]) => [a, { ...b, to: 'x' }, c], [[2, CHANGED]]],
		['without an entry', ([a, , c]) => [a, c], [[3, MISSING]]],
		['without its beginning', ([, b, c]) => [b, c], [[2, MISSING]]],
		[
			'with an entry that was made up',
			([a, b, c]) => [a, b, { ...c, seal: 'forged' }],
			[[3, CHANGED]],
		],
	])('%s', (_, change, remarks) => {
		const found = wrong(change(three()));
		expect(found.map(([id]) => id)).toEqual(remarks.map(([id]) => id));
		remarks.forEach(([, says], index) => expect(found[index][1]).toMatch(says));
	});

	test('of entries that jobs add at the same moment, each is named by the next one', () => {
		const log = add([], [ASKED]);
		const [, left] = add(log, [ASKED]);
		const [, right] = add(log, [{ ...ASKED, who: 'ines' }]);
		const both = [...log, left, { ...right, id: 3 }];
		const all = add(both, [ASKED]);
		expect(wrong(all)).toEqual([]);
		for (const index of [0, 1, 2])
			expect(wrong(all.filter((_, at) => at !== index))).not.toEqual([]);
	});

	test('a changed entry says nothing about a setting', () => {
		const [entry] = add([], [], [APPROVER]);
		expect(add([{ ...entry, to: 'eve' }], [], [setting('approver', 'eve')])).toHaveLength(2);
	});
});

describe('a payout run', () => {
	const entry = (what: string, from: string, to: string) => ({
		...ASKED,
		what,
		from,
		to,
		run: '51',
	});
	const log = () =>
		[
			entry('payout run: asked for', '', 's1'),
			entry('payout run: Approve', 's1', 's2'),
			{ ...entry('file uploaded', '', 's9') },
		].reduce<Json[]>((so, one) => add(so, [one]), []);

	test('has one last seal, in whatever order two decisions were logged', () => {
		const last = (entries: Json[]) =>
			whole(entries)
				.filter(({ isLast }) => isLast)
				.map(({ to }) => to);
		expect(last(log())).toEqual(['s2']);
		const [first, second] = log();
		expect(
			last([
				{ ...second, id: 1 },
				{ ...first, id: 2 },
			]),
		).toEqual(['s2']);
	});

	const RUN = { run: '51', seal: 's2', check: 's2', digest: 'e1\ne2', fileHash: 'h' };
	const PAYMENTS = ['e2', 'e1'].map((externalId) => ({ externalId, run: '51' }));
	const warnings = (change: {
		run?: Json;
		runs?: Json[];
		payments?: Json[];
		fileHash?: string;
		show?: string;
	}) => {
		const run = { ...RUN, ...change.run };
		const outputs = {
			Evidence: [{ chosen: change.runs ?? [run], title: change.show ?? 'A payout run 51' }],
			'Run Seals': change.runs ?? [run],
			Seals: change.payments ?? PAYMENTS,
			Log: whole(log()),
			'Hash of File': [{ fileHash: change.fileHash ?? 'h' }],
		};
		return runCode('runWarnings', [], outputs)[0] as { warnings: string[]; isKept: boolean };
	};

	test.each<[string, Parameters<typeof warnings>[0], RegExp | undefined]>([
		['as it was written', {}, undefined],
		['that was changed', { run: { check: 'x' } }, /^Run 51 was changed/],
		['that was put back', { run: { seal: 's1', check: 's1' } }, /isn't as the log says/],
		['without one of its payments', { payments: PAYMENTS.slice(1) }, /has other payments now/],
		['that was deleted', { runs: [] }, /^Run 51 was deleted/],
		['with another file', { fileHash: 'x' }, /no file with its SHA-256/],
		['with another file, on the page of a day', { fileHash: 'x', show: 'A day' }, undefined],
		['that has no file', { run: { fileHash: '' }, fileHash: '' }, undefined],
	])('%s', (_, change, says) => {
		expect(warnings(change).warnings).toEqual(says ? [expect.stringMatching(says) as string] : []);
	});

	test('its file is given only if it is the one that was uploaded', () => {
		expect(warnings({}).isKept).toBe(true);
		expect(warnings({ fileHash: 'x' }).isKept).toBe(false);
		expect(warnings({ run: { fileHash: '' }, fileHash: '' }).isKept).toBe(false);
	});
});

test.each<[string, Json, boolean]>([
	['a saved payment that it has', { run: '51', externalId: 'e2' }, true],
	['a row of a new file that it has', { externalId: 'e2' }, true],
	['a saved payment that it does not have', { run: '51', externalId: 'e3' }, false],
	['a row that is to correct', { externalId: '' }, false],
])('the log and %s', (_, row, isSent) => {
	const log = [{ what: 'payments sent', to: 'e1\ne2', at: NOW }];
	const [{ obstacles }] = runCode('sentBefore', [{ ...row, obstacles: ['x'] }], { Log: log });
	expect(obstacles).toHaveLength(isSent ? 2 : 1);
});

test.each([
	['A payout run', '51', ['file uploaded', 'payments sent', 'payout run: Approve']],
	['A day', '2026-11-24', ['file uploaded', 'file uploaded', 'payments sent', 'payments sent']],
	['Open items', '', []],
])('the evidence of %s %s has what the log says about it', (show, which, expected) => {
	const at = (day: string, what: string, to: string, run = '') => ({
		...{ at: `${day}T09:00:00Z`, what, to, run },
	});
	const log = [
		at('2026-11-24', 'file uploaded', 'a.csv, SHA-256 h'),
		at('2026-11-24', 'file uploaded', 'b.csv, SHA-256 i'),
		at('2026-11-24', 'payments sent', 'e1\ne2'),
		at('2026-11-24', 'payments sent', 'e9'),
		at('2026-11-25', 'payout run: Approve', 's2', '51'),
		at('2026-11-25', 'payout run: Approve', 's3', '52'),
	];
	const outputs = {
		'Show Payments': [{ Show: show, Which: which }],
		Settings: [setting('time zone', 'UTC')],
		Seals: [{ externalId: 'e2', run: '51', history: '' }],
		'Run Seals': [{ run: '51', fileHash: 'h', history: '' }],
		Log: log,
	};
	const [evidence] = runCode('evidence', [], outputs) as Array<{ log: Json[] }>;
	expect(evidence.log.map(({ what }) => what)).toEqual(expected);
});
