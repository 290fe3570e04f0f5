// cspell:ignore Göteborgs Papper Zahlungen Kopie
import type { Browser, Page } from 'playwright-core';
import { payoutFile, sheetFile, toCsv } from '../support/builders/payoutFile';
import type { Credential, StoredWorkflow, WorkflowJson } from '../../host/n8n/client';
import { readExample } from '../../host/n8n/credentials';
import { deleteTable, readTable } from '../../host/n8n/dataTables';
import { launchBrowser } from '../support/pages/browser';
import {
	decide,
	decidePayees,
	enterPayees,
	openPayees,
	readEnding,
	type UploadedFile,
} from '../support/pages/payoutRun';
import { startConversations, type ChatModel, type Turn } from '../support/servers/chatModel';
import { waitUntil } from '../../host/waitUntil';
import { TOOL } from './adversarialConversations';
import { calling } from './askForPayments';
import { ask, putIntoService } from './paymentStatus';
import { APPROVER, PayoutRunJob } from './payoutRun';
import { startOwnN8n, type OwnN8n } from './ownN8n';
import { ownService, scaled } from './shared';
import { judgeCheck, judgeReview, openChat, say } from './treasury';
import { asCsv, asXlsx, LIST, numberOf, OCTOBER, PAID_BEFORE, SECOND_LIST } from './treasuryFile';

/*
 * The jobs as a treasury uses them: a list from bookkeeping that is full of mistakes, many payout
 * runs at once, the switch in a large one, and payments that other jobs ask for.
 */

/** Its own, because jobsPayoutRun puts the same job, people, and tables into the shared one. */
let own: OwnN8n;
let n8n: OwnN8n['client'];
let service: Awaited<ReturnType<typeof ownService>>;
let browser: Browser;
let job: PayoutRunJob;

const MINUTE = 60_000;
const SENT = ['accepted', 'paid'];

beforeAll(async () => {
	own = await startOwnN8n('treasury');
	n8n = own.client;
	service = await ownService(n8n);
	browser = await launchBrowser();
	const { sandbox, credential } = service;
	job = await PayoutRunJob.putIntoService(
		n8n,
		sandbox.client,
		credential,
		browser,
		own.importFolder,
	);
}, 5 * MINUTE);
afterEach(async () => {
	await job.closePages();
	await job.changeSetting('stopped', 'no');
	await service.sandbox.client.setFaults({});
});
afterAll(async () => {
	await browser?.close();
	await job?.stop();
	await service?.sandbox.stop();
	await own?.stop();
});

/** What the service has recorded, as `invoice amount currency`. */
async function recorded(invoice = /^/): Promise<string[]> {
	const { items } = await service.sandbox.client.listTransactions({ limit: 1000 });
	return items
		.filter(({ transaction: { reference } }) => invoice.test(reference))
		.map(({ transaction: one }) => `${one.reference} ${one.amount} ${one.currency}`)
		.sort();
}

describe('a list from bookkeeping, whose rows people had judged by the docs alone', () => {
	const ticked = LIST.flatMap(({ expected }, index) => (expected.ticked ? numberOf(index) : []));
	const inSheet = LIST.map(({ expected }) => expected);
	const EXPECTED = { right: LIST.length, wrong: [], misleading: [] };
	/** What the list pays, as the service has it. */
	const payable = LIST.filter(({ expected }) => expected.becomes === 'paid' || expected.ticked)
		.map(({ cells: [, invoice], expected }) => {
			const text = typeof invoice === 'object' ? invoice.csv : String(invoice);
			const [currency, amount] = expected.amount!.split(' ');
			return `${text} ${amount.replace(/,/g, '')} ${currency}`;
		})
		.sort();
	const PAYEE_COLUMNS = ['Supplier', 'Supplier Account', 'Country', 'Evidence'];
	let run: string;

	beforeAll(async () => {
		const before = PAID_BEFORE.map((payee) => [...payee, 'Paid before']);
		await enterPayees(
			await job.open('payees', job.people.clerk),
			sheetFile([PAYEE_COLUMNS, ...before], 'suppliers.xlsx'),
		);
		const page = await job.open('payees-approval', job.people.approver);
		await openPayees(page);
		await decidePayees(page, [/^All of them$/]);
		const october = await job.ask(OCTOBER);
		await job.decide(october.run, 'Approve', { comment: 'OCT-12 has a credit note.' });
		const isDone = ({ result, decision }: Record<string, string>) =>
			['paid', 'rejected'].includes(result) || decision === 'declined';
		const areDone = async () => (await job.rowsOf(october.run)).every(isDone);
		await waitUntil('October is paid', areDone, { timeoutMs: 2 * MINUTE });
	}, 5 * MINUTE);

	test(
		'a second list of suppliers adds the account that is new, and says what it leaves out',
		async () => {
			const rows = [PAYEE_COLUMNS, ...SECOND_LIST.map((one) => [...one, 'Call to a known number'])];
			const says = await enterPayees(await job.open('payees', job.people.clerk), {
				name: 'suppliers.csv',
				mimeType: 'text/csv',
				buffer: Buffer.from(rows.map((cells) => cells.join(';')).join('\n')),
			});
			expect(says).toMatch(/1 have (no .*Supplier Account|an empty cell)/);
			const page = await job.open('payees-approval', job.people.approver);
			const waits = await openPayees(page);
			expect(waits).toContain('Göteborgs Papper AB');
			expect(waits).not.toMatch(/Thames|Gulf/);
			await decidePayees(page, [/^1\. Göteborgs Papper AB/]);
		},
		2 * MINUTE,
	);

	test(
		`as CSV and as a spreadsheet, each of ${LIST.length} rows is what it should be, and says why`,
		async () => {
			const csv = await job.check(asCsv('Zahlungen.csv'));
			expect(
				judgeCheck(
					csv.found,
					LIST.map(({ expected, inCsv = expected }) => inCsv),
				),
			).toEqual(EXPECTED);
			const xlsx = await job.ask(asXlsx('Zahlungen.xlsx'));
			expect(judgeCheck(xlsx.found, inSheet)).toEqual(EXPECTED);
			run = xlsx.run;
		},
		3 * MINUTE,
	);

	test(
		'the approver sees the same, with a checkbox where one may decide; what two have to approve waits for the second',
		async () => {
			const { page, seen } = await job.review(run);
			expect(judgeReview(seen, inSheet)).toEqual(EXPECTED);
			expect(await decide(page, 'Approve', { pay: ticked })).toContain(
				'somebody else must approve',
			);
			const second = await job.review(run, job.people.deputy);
			const left = second.seen.held.map((label) => Number(/\d+/.exec(label)![0]));
			await decide(second.page, 'Approve', { pay: left.filter((row) => ticked.includes(row)) });
			const isPaid = async () => (await recorded(/^(?!OCT-\d+$)/)).length > payable.length;
			await waitUntil('all of it is paid', isPaid, { timeoutMs: 2 * MINUTE });
			const once = 'OCT-11 TEST_REJECTED 70.10 EUR';
			expect(await recorded(/^(?!OCT-\d+$)/)).toEqual([...payable, once].sort());
		},
		4 * MINUTE,
	);

	test(
		'the list as CSV under another name pays nothing, whatever somebody approves without a look',
		async () => {
			const before = await recorded();
			const again = await job.ask(asCsv('Kopie von Zahlungen.csv'));
			expect(again.found.headline).toBe('Paid after an approval: nothing');
			await job.decide(again.run, 'Approve');
			const rows = await job.rowsOf(again.run);
			expect(rows.filter(({ decision }) => decision === 'approved')).toEqual([]);
			expect(await recorded()).toEqual(before);
			expect(new Set(before).size).toBe(before.length - 1); // OCT-11, which was rejected
		},
		3 * MINUTE,
	);
});

describe('payments that other jobs ask for, from the question to the answer what became of them', () => {
	const START = 'When clicking ‘Execute workflow’';
	const published: StoredWorkflow[] = [];
	let workflows: Record<string, StoredWorkflow>;
	let model: ChatModel;
	let turns: Turn[];

	beforeAll(async () => {
		for (const table of ['invoices_to_pay', 'standing_orders']) await deleteTable(n8n, table);
		await job.approvePayees([
			['eus_north_windmills', 'vac_north_windmills', 'BE'],
			['eus_thames_cycles', 'vac_thames_cycles_eur', 'GB'],
			['eus_thames_cycles', 'vac_thames_cycles_gbp', 'GB'],
		]);
		const publish = async (file: string, ...credentials: Credential[]) => {
			const example = calling(readExample(`jobs/${file}`), workflows);
			if (file === 'agent-with-approval') openChat(example);
			const workflow = await n8n.importWorkflow(example, credentials);
			await n8n.activate(workflow);
			published.push(workflow);
			workflows[workflow.name] = workflow;
			return workflow;
		};
		workflows = Object.fromEntries(Object.values(job.workflows).map((one) => [one.name, one]));
		workflows['Check Payments'] = job.workflows.check;
		workflows['Ask for Payments'] = await publish('ask-for-payments', job.seals);
		model = await startConversations(() => turns);
		const openAi = { apiKey: 'not-a-key', url: model.url };
		workflows.agent = await publish(
			'agent-with-approval',
			await n8n.createCredential('OpenAI account', 'openAiApi', openAi),
		);
		expect((await n8n.run(workflows.agent, START)).status).toBe('success');
		published.push(await putIntoService(n8n));
	}, 3 * MINUTE);
	afterAll(async () => {
		for (const workflow of published) await n8n.deactivate(workflow);
		await model?.stop();
	});

	/** Asks by webhook until a payment is paid, and by the form. */
	async function untilPaid(reference: string, amount: string) {
		const isPaid = async () => {
			const { payments } = await ask(n8n.url, reference);
			return payments.length === 1 && payments[0].result === 'paid' && payments[0];
		};
		const payment = await waitUntil(`${reference} is paid`, isPaid, { timeoutMs: MINUTE });
		expect(payment).toMatchObject({ isGenuine: true, status: 'COMPLETED' });
		const page = await job.open('payment-status', job.people.clerk);
		await page.getByLabel('Reference').fill(payment.externalId);
		await page.getByRole('button', { name: 'Look it up' }).click();
		expect(await readEnding(page, 'paid')).toContain(amount.replace(/\B(?=\d{3}\.)/, ','));
		await page.close();
		return payment;
	}
	const runOf = async (invoice: string) => {
		const rows = (await readTable(n8n, 'payments')) as unknown as Array<Record<string, string>>;
		return rows.find((row) => row.invoice === invoice)!.run;
	};

	test(
		'the agent asks for two invoices: the small one is paid, the large one after a person approved it, and both are found',
		async () => {
			const call = (invoice: string, amount: string): Turn => ({
				tool: TOOL,
				args: { supplier: 'eus_north_windmills', invoice, amount, currency: 'EUR' },
			});
			const [small, large] = [call('INV-2026-0701', '120.00'), call('INV-2026-0703', '2480.00')];
			turns = [small, large, small, large, { say: 'One is approved, one waits.' }];
			expect(await say(n8n, workflows.agent, 'Pay both, and be quick.')).toContain('one waits');
			await untilPaid('INV-2026-0701', '120.00');
			const waits = await ask(n8n.url, 'INV-2026-0703');
			expect(waits.payments.map(({ result }) => result)).toEqual(['to approve']);
			// More than ten times what this supplier got until now: somebody has to tick it.
			const { page, seen } = await job.review(await runOf('INV-2026-0703'));
			expect(seen.held).toEqual([expect.stringMatching(/INV-2026-0703.*Unusual amount/)]);
			const pay = [Number(/\d+/.exec(seen.held[0])![0])];
			expect(await decide(page, 'Approve', { pay })).toContain('1 payment is approved');
			for (const [invoice, amount] of [
				['INV-2026-0701', '120.00'],
				['INV-2026-0703', '2480.00'],
			])
				expect((await untilPaid(invoice, amount)).externalId).toMatch(
					new RegExp(`^${invoice}\\.[0-9a-f]{10}$`),
				);
			expect(await recorded(/^INV-2026-070/)).toEqual([
				'INV-2026-0701 120.00 EUR',
				'INV-2026-0703 2480.00 EUR',
			]);
		},
		4 * MINUTE,
	);

	test(
		'standing orders: what is due is asked for once, approved, paid, and found',
		async () => {
			const onDay = async (today: string) => {
				const pinData = { Today: [{ json: { today } }] };
				const example: WorkflowJson = { ...readExample('jobs/recurring-payments'), ...{ pinData } };
				return await n8n.importWorkflow(calling(example, workflows), []);
			};
			const day = await onDay('2026-11-02');
			expect((await n8n.run(day, START)).status).toBe('success');
			for (const invoice of [1, 2])
				expect([invoice, (await n8n.run(day, 'Every Morning')).status]).toEqual([
					invoice,
					'success',
				]);
			const due = [
				['CLEANING-2026-W45', '240.50', 'EUR'],
				['INSURANCE-CYCLES-2026-Q4', '320.00', 'GBP'],
				['RENT-QUAY-12-2026-10', '1850.00', 'EUR'],
			];
			const run = await runOf(due[0][0]);
			expect((await job.rowsOf(run)).map(({ invoice }) => invoice).sort()).toEqual(
				due.map(([invoice]) => invoice),
			);
			const { seen, says } = await job.decide(run, 'Approve');
			expect([seen.held, says]).toEqual([[], expect.stringContaining('3 payments are approved')]);
			for (const [invoice, amount] of due) await untilPaid(invoice, amount);
			expect((await n8n.run(day, 'Every Morning')).status).toBe('success');
			expect(await recorded(/^(CLEANING|INSURANCE|RENT)/)).toEqual(
				due.map((cells) => cells.join(' ')),
			);
		},
		4 * MINUTE,
	);
});

describe('many payments at once', () => {
	beforeAll(async () => await job.changeSetting('unusual factor', '1000000000'));

	test(
		'of 20 payout runs that are approved at the same moment, no more is sent than a day may have; the rest waits, and is sent when it may be',
		async () => {
			const RUNS = Math.max(5, scaled(20));
			const names = Array.from({ length: RUNS }, (_, index) => `D${index}`);
			await job.approvePayees(names.map((name) => [`eus_${name}`, `vac_${name}`, 'BE']));
			const fileOf = (name: string, index: number): UploadedFile => {
				const rows = [1, 2, 3].map(
					(number) =>
						`${name}-${number};eus_${name};vac_${name};BE;${7 + index}${number},10;EUR;SCT`,
				);
				const header = 'Invoice;Supplier;Supplier Account;Country;Amount;Currency;Method';
				const buffer = Buffer.from([header, ...rows].join('\n'));
				return { name: `${name}.csv`, mimeType: 'text/csv', buffer };
			};
			const runs: string[] = [];
			for (const [index, name] of names.entries())
				runs.push((await job.ask(fileOf(name, index))).run);
			const cents = (rows: string[]) =>
				rows.reduce((sum, row) => sum + Math.round(100 * Number(row.split(' ')[1])), 0);
			const isOfToday = ({ day, currency }: Record<string, unknown>) => day && currency === 'EUR';
			const usedToday = (await readTable(n8n, 'payments'))
				.filter(isOfToday)
				.reduce((sum, { amount }) => sum + Number(amount), 0);
			const total = 3 * RUNS * 100;
			const left = total / 3;
			await job.changeSetting('per day', String(Math.floor(usedToday) + left));

			const pages: Page[] = [];
			for (const run of runs) pages.push((await job.review(run)).page);
			const says = await Promise.all(pages.map(async (page) => await decide(page, 'Approve')));
			expect(says.filter((text) => !/3 payments are approved/.test(text))).toEqual([]);
			const rows = async () => {
				const all = (await readTable(n8n, 'payments')) as unknown as Array<Record<string, string>>;
				return all.filter(({ run }) => runs.includes(run));
			};
			const isSettled = ({ result, explanation }: Record<string, string>) =>
				SENT.includes(result) || /limit per day/.test(explanation);
			await waitUntil('each one is sent or waits', async () => (await rows()).every(isSettled), {
				timeoutMs: 3 * MINUTE,
				intervalMs: 500,
			});
			const sent = cents(await recorded(/^D\d+-/));
			expect(sent).toBeLessThanOrEqual(100 * left);
			expect(sent).toBeGreaterThan(100 * left - 40_000);
			await job.changeSetting('per day', '200000000');
			for (const run of runs) await job.untilAll(run, SENT);
			const all = names.flatMap((name, index) =>
				[1, 2, 3].map((number) => `${name}-${number} ${7 + index}${number}.10 EUR`),
			);
			expect(await recorded(/^D\d+-/)).toEqual(all.sort());
		},
		10 * MINUTE,
	);

	test(
		'500 payments are sent only when all of their approval is saved. The switch in their middle: the batch ends, nothing more is sent, and afterwards the rest is, each once',
		async () => {
			const PAYMENTS = Math.max(120, scaled(500));
			// Three executions for each payment would take longer than all that is tested here.
			await n8n.deactivate(job.workflows.follow);
			const file = payoutFile('INV-W', PAYMENTS, 0);
			await job.approvePayeesOf(file);
			const { run } = await job.ask(toCsv(file, 'switch.csv'));
			const invoices = async () => (await recorded(/^INV-W/)).map((row) => row.split(' ')[0]);
			await service.sandbox.client.setFaults({ latencyMs: [500, 500] });
			const isIdle = async () => {
				const lock = (await readTable(n8n, 'settings')).find(
					({ setting }) => setting === 'sending',
				);
				return (lock?.value as string) < new Date().toISOString();
			};
			const deciding = job.decide(run, 'Approve');
			await waitUntil('some are sent', async () => (await invoices()).length > 0, {
				timeoutMs: 3 * MINUTE,
				intervalMs: 50,
			});
			// *Pay* looks each three seconds, and saving them takes longer.
			const approved = (await job.rowsOf(run)).filter(({ decidedBy }) => decidedBy === APPROVER);
			expect(approved).toHaveLength(PAYMENTS);
			expect((await job.log()).filter((one) => one.run === run).at(-1)?.what).toMatch(/Approve$/);
			await job.changeSetting('stopped', 'yes');
			const before = await invoices();
			await waitUntil('the batch has ended', isIdle, { timeoutMs: MINUTE });
			const stopped = await invoices();
			expect(stopped.length - before.length).toBeLessThanOrEqual(50);
			await deciding;
			await waitUntil('nothing is begun', isIdle, { timeoutMs: MINUTE });
			expect(await invoices()).toEqual(stopped);
			expect((await job.resultsOf(run))['not sent']).toBe(PAYMENTS - stopped.length);
			await service.sandbox.client.setFaults({});
			await job.changeSetting('stopped', 'no');
			await job.untilAll(run, SENT, 5 * MINUTE);
			expect(await invoices()).toEqual(file.payable);
		},
		10 * MINUTE,
	);
});
