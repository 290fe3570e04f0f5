import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import axios from 'axios';
import type { Browser, Page } from 'playwright-core';
import type { N8nClient, StoredWorkflow, WorkflowJson } from '../../host/n8n/client';
import { createPaymentsWebhookApi, readExample, readLiveExample } from '../../host/n8n/credentials';
import { outputOf, type Execution } from '../../host/n8n/executions';
import { waitUntil } from '../../host/waitUntil';
import { launchBrowser } from '../support/pages/browser';
import { openFormIn, signInAs } from '../support/pages/forms';
import { DataTable } from '../support/dataTables';
import { useChatModel } from '../support/servers/chatModel';
import { csv, rowsOf, xlsx } from '../support/spreadsheet';
import { sharedN8n, useService } from './shared';
import { askAgent, PAYMENT, TOOL } from './tool';

/*
 * The templates in a real n8n. Those that aren't run here are run in the other files
 * templates*.test.ts, or where their nodes are tested: events-once-in-postgres in test/queue,
 * mcp-server in agents.test.ts.
 */

/** A message in the chat with its buttons. */
interface Question {
	text: string;
	buttons: Array<{ text: string; link: string }>;
}

const START = 'When clicking ‘Execute workflow’';

const n8n = sharedN8n();
const service = useService(n8n);
const startModel = useChatModel(n8n);

const published: StoredWorkflow[] = [];
const publish = async (workflow: StoredWorkflow) => {
	await n8n.activate(workflow);
	published.push(workflow);
};
afterEach(async () => {
	for (const workflow of published.splice(0)) await n8n.deactivate(workflow);
	await service.sandbox.reset();
});

const json = (execution: Execution, node: string) =>
	outputOf(execution, node).map((item) => item.json);
const recorded = async () =>
	(await service.sandbox.listTransactions()).items
		.map(({ transaction }) => [transaction.externalId, transaction.amount, transaction.currency])
		.sort();
const parametersOf = ({ nodes }: WorkflowJson, name: string) =>
	nodes.find((node) => node.name === name)!.parameters;

/** The CSV file of the template, with these changes to it. */
const csvTemplate = (...changes: Array<[string, string]>) => {
	const template = readLiveExample('csv-to-transactions');
	const { assignments } = parametersOf(template, 'Example CSV').assignments as {
		assignments: Array<{ value: string }>;
	};
	for (const [from, to] of changes) assignments[0].value = assignments[0].value.replace(from, to);
	return template;
};

test("csv-to-transactions: last year's rows, incoming and outgoing, each once", async () => {
	const workflow = await n8n.importWorkflow(csvTemplate(), [service.credential]);
	await n8n.run(workflow, START);
	await n8n.run(workflow, START);
	const { items } = await service.sandbox.listTransactions();
	expect(items.map(({ seen }) => seen)).toEqual([2, 2, 2, 2, 2]);
	// One token for both executions: n8n keeps it with the credential.
	expect((await service.sandbox.getCounts()).tokens.issued).toBe(1);
	const shop = 'harbour-bakery-eur-account';
	const moved = items.map(({ transaction }) => [
		...[transaction.externalId, transaction.amount, transaction.externalStatus],
		transaction.sender.externalPaymentChannelId,
		transaction.recipient.externalPaymentChannelId,
		// At midnight in Copenhagen, in winter.
		new Date(transaction.externalCreatedAt).toISOString(),
	]);
	const winter = (day: string) => `2025-11-${day}T23:00:00.000Z`;
	expect(moved.sort()).toEqual([
		['2025-1103-1', '1250.00', 'booked', 'north-windmills-account', shop, winter('02')],
		['2025-1104-1', '89.90', 'booked', 'lena-fischer-account', shop, winter('03')],
		['2025-1106-1', '12.50', 'booked', shop, 'lena-fischer-account', winter('05')],
		['2025-1107-1', '12480.50', 'booked', 'harbour-bakery-stripe', shop, winter('06')],
		['2025-1128-1', '480.00', 'booked', shop, 'flanders-flour-account', winter('27')],
	]);
	const [refund] = items.filter(({ transaction }) => transaction.externalId === '2025-1106-1');
	expect(refund.transaction).toMatchObject({
		sender: { externalEntityId: 'harbour-bakery', countryCode: 'DK' },
		recipient: { externalEntityId: 'lena-fischer', countryCode: 'DE' },
	});
});

test.each([
	['another sign than the one of a keyboard', '-12,50', '−12,50', /Amount.*−12,50/],
	['a sign behind the amount', '-12,50', '12,50-', /Amount.*12,50-/],
	['a plus sign', '-12,50', '+12,50', /Amount.*\+12,50/],
	['a day without its zero', '06.11.2025', '6.11.2025', /Created At.*2025-11-6/],
	['no amount', '-480,00', '', /Amount.*empty/],
])('csv-to-transactions: %s is refused, and nothing is sent', async (_, from, to, message) => {
	const template = csvTemplate([from, to]);
	const { data } = await n8n.run(await n8n.importWorkflow(template, [service.credential]), START);
	const { description, message: said } = data.resultData.error!;
	expect(`${said} ${description}`).toMatch(message);
	expect(await recorded()).toEqual([]);
});

test('rows-to-transactions: right rows are recorded, the others come out with the reason, until they are right', async () => {
	const template = readLiveExample('rows-to-transactions');
	const right = ['INV-2026-0101', 'INV-2026-0103', 'REF-2026-0007', 'OUT-2026-0044'];
	const first = await n8n.run(await n8n.importWorkflow(template, [service.credential]), START);
	expect(first.status).toBe('success');
	expect(json(first, 'Right Rows')).toEqual(right.map((id) => ({ id, outcome: 'created' })));
	expect(outputOf(first, 'Create Transactions').map(({ pairedItem }) => pairedItem)).toEqual(
		right.map((_, item) => ({ item })),
	);
	const wrong = (id: string, message: RegExp) => ({
		...{ id, outcome: 'invalid', fix: expect.any(String) as string },
		message: expect.stringMatching(message) as string,
	});
	expect(json(first, 'To Look At')).toEqual([
		wrong('INV-2026-0105', /'Amount'.*1\.250,00/),
		wrong('INV-2026-0106', /'Currency'.*EURO/),
	]);
	const { items } = await service.sandbox.listTransactions();
	expect(items).toHaveLength(4);
	const booked = Date.parse('2026-11-02T09:15:00Z');
	const [invoice] = items.filter(({ transaction }) => transaction.externalId === 'INV-2026-0101');
	expect(invoice.transaction).toEqual({
		eventId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5/) as string,
		...{ externalId: 'INV-2026-0101', externalStatus: 'booked', reference: 'Invoice 2026-0101' },
		...{ amount: '2501.00', currency: 'EUR', baseAmount: '2501.00', paymentScheme: 'SCT' },
		sender: {
			externalEntityId: 'north-windmills',
			externalPaymentChannelId: 'north-windmills-account',
			countryCode: 'BE',
		},
		recipient: {
			externalEntityId: 'harbour-bakery',
			externalPaymentChannelId: 'harbour-bakery-eur-account',
			countryCode: 'DK',
		},
		...{ externalCreatedAt: booked, receivedAt: booked },
	});

	const rows = parametersOf(template, 'Example Rows');
	rows.jsonOutput = (rows.jsonOutput as string)
		.replace('1.250,00', '1250.00')
		.replace('EURO', 'EUR');
	const second = await n8n.run(await n8n.importWorkflow(template, [service.credential]), START);
	expect(json(second, 'Right Rows').map(({ outcome }) => outcome)).toEqual([
		...right.map(() => 'duplicate'),
		...['created', 'created'],
	]);
});

/** Imports a template that listens, registers it with the service, and publishes it. */
async function putIntoService(template: WorkflowJson): Promise<StoredWorkflow> {
	const { production } = await n8n.webhookUrls(template, 'Payments Trigger');
	const { events } = parametersOf(template, 'Payments Trigger');
	const { secret } = await service.sandbox.createEndpoint({
		url: production,
		events: events as string[],
	});
	const workflow = await n8n.importWorkflow(template, [
		service.credential,
		await createPaymentsWebhookApi(n8n, secret),
	]);
	await publish(workflow);
	return workflow;
}

test('events-by-type: each signed event leaves through the output of its type, as it came', async () => {
	const workflow = await putIntoService(readExample('events-by-type'));
	for (const event of [
		{ event: 'PAYMENT.CREATED', data: { id: 'pmt_1', amount: '5.00', currency: 'EUR' } },
		{
			event: 'PAYMENT.STATUS_UPDATED',
			data: { id: 'pmt_1', status: 'COMPLETED', reference: 'Grüße & <b>' },
			previousValues: { status: 'PROCESSING' },
		},
		{ event: 'VIRTUAL_ACCOUNT.STATUS_UPDATED', data: { id: 'vac_1', status: 'ACTIVE' } },
	])
		await service.sandbox.emitEvent(event);
	const results = await n8n.ended(workflow, 3);
	const runs = await Promise.all(results.map(async ({ id }) => await n8n.execution(id)));
	const said = (node: string) => runs.flatMap((run) => json(run, node));
	expect(said('Payment Created')).toEqual([{ say: 'A payment of 5.00 EUR was created.' }]);
	expect(said('Payment Status Updated')).toEqual([
		{ say: 'The payment pmt_1 is COMPLETED; it was PROCESSING.' },
	]);
	expect(said('Virtual Account Status Updated')).toEqual([
		{ say: 'The virtual account vac_1 is ACTIVE.' },
	]);
	const { items } = await service.sandbox.listDeliveries();
	expect(items).toHaveLength(3);
	for (const { id } of items) {
		const { body } = await service.sandbox.getDelivery(id);
		expect(said('Payments Trigger')).toContainEqual(JSON.parse(body));
	}
});

test('create-and-wait: waits for the event, knows it at once the second time, and gives up in the end', async () => {
	const templateFor = (invoice: string, looks: number) => {
		const template = readLiveExample('create-and-wait');
		Object.assign(parametersOf(template, 'Wait'), { amount: 1, unit: 'seconds' });
		const changed = JSON.stringify(template)
			.replace('"rightValue":60', `"rightValue":${looks}`)
			.replace('INV-2026-0201', invoice);
		return JSON.parse(changed) as WorkflowJson;
	};
	const invoice = `INV-${randomUUID()}`;
	const workflow = await putIntoService(templateFor(invoice, 60));
	await service.sandbox.setFaults({ processingMs: 2500 });
	const first = await n8n.run(workflow, START);
	expect(json(first, 'Result')).toEqual([{ id: invoice, status: 'COMPLETED' }]);
	const second = await n8n.run(workflow, START);
	expect(json(second, 'Create Transaction')[0]).toMatchObject({ outcome: 'duplicate' });
	expect(json(second, 'Result')).toEqual([{ id: invoice, status: 'COMPLETED' }]);
	expect(outputOf(second, 'Wait')).toEqual([]);

	await n8n.deactivate(workflow); // Nobody writes down what becomes of the next one.
	const other = `INV-${randomUUID()}`;
	const unheard = await n8n.importWorkflow(templateFor(other, 2), [
		service.credential,
		await createPaymentsWebhookApi(n8n, 'never-used'),
	]);
	const third = await n8n.run(unheard, START);
	expect(json(third, 'Result')).toEqual([{ id: other, status: 'not known in time' }]);
	expect(outputOf(third, 'Wait')).toHaveLength(1);
});

test('recurring-payments: each month is paid once, and what is not recorded fails the execution', async () => {
	const workflow = await n8n.importWorkflow(readLiveExample('recurring-payments'), [
		service.credential,
	]);
	await n8n.run(workflow, START);
	await n8n.run(workflow, START); // the example comes into an empty table only
	const look = await n8n.importWorkflow(readExample('recurring-payments'), [service.credential]);
	const looked = await n8n.run(look, 'Every Morning');
	expect([looked.status, await recorded()]).toEqual(['success', []]);
	expect(new Set(json(looked, 'Pay').map(({ outcome }) => outcome))).toEqual(new Set(['dryRun']));
	const table = await DataTable.find(n8n, 'standing_orders');
	const [example, ...others] = await table.rows();
	expect(others).toEqual([]);
	expect(example).toMatchObject({ order: 'RENT-7', dayOfMonth: 1 });
	const month = (offset: number) => {
		// In n8n's time zone, which isn't that of this machine.
		const date = new Date(`${example.firstMonth as string}-01`);
		date.setUTCMonth(date.getUTCMonth() + offset);
		return date.toISOString().slice(0, 7);
	};
	const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...order } = example;
	const today = { ...order, dayOfMonth: 1 };
	await table.insert([
		{ ...today, order: 'FEE-1' },
		{ ...today, order: 'ENDED', firstMonth: month(-3), lastMonth: month(-1) },
		{ ...today, order: 'LATER', firstMonth: month(1) },
	]);
	for (const outcome of ['created', 'duplicate']) {
		const execution = await n8n.run(workflow, 'Every Morning');
		const fees = json(execution, 'Pay').filter(
			({ externalId }) => externalId === `FEE-1-${month(0)}`,
		);
		expect([execution.status, fees.map((fee) => fee.outcome)]).toEqual(['success', [outcome]]);
	}
	const paid = (await recorded()).map(([externalId]) => externalId);
	expect(paid.filter((id) => !id.startsWith('RENT-7'))).toEqual([`FEE-1-${month(0)}`]);

	await table.insert(['WRONG', 'TOO'].map((order) => ({ ...today, order, country: 'Belgium' })));
	const failed = await n8n.run(workflow, 'Every Morning');
	expect([failed.status, failed.data.resultData.error?.message]).toEqual([
		'error',
		expect.stringMatching(`WRONG-${month(0)}: invalid[^]+TOO-${month(0)}: invalid`),
	]);
	await table.drop();
});

describe('pay-a-sheet-after-approval', () => {
	let browser: Browser;
	let clerk: N8nClient;
	let approver: N8nClient;
	let workflow: StoredWorkflow;
	beforeAll(async () => {
		browser = await launchBrowser();
		clerk = await n8n.addMember(`${randomUUID()}@payments.example`, 'Lena', 'Fischer');
		approver = await n8n.addMember(`${randomUUID()}@payments.example`, 'Amir', 'Khan');
	});
	afterAll(async () => await browser?.close());
	beforeEach(async () => {
		const template = readExample('pay-a-sheet-after-approval');
		workflow = await n8n.importWorkflow(template, [service.credential]);
		await publish(workflow);
	});

	const HEADER =
		'Invoice,Supplier,Supplier Account,Supplier Country,Amount,Currency,Date,Scheme'.split(',');
	const DAY = '2026-11-02';
	/** The same day, as a spreadsheet has it: the days since 1899-12-30. */
	const DATE_CELL = 46328;
	const ROWS = [
		['RE-1', 'flanders-flour', 'flanders-flour-account', 'BE', 1250, 'EUR', DATE_CELL],
		['RE-2', 'elbe-packaging', 'elbe-packaging-account', 'DE', '89.90', 'EUR', DAY, 'SEPA'],
		['RE-3', 'kent-dairy', 'kent-dairy-account', 'GB', '1.250,00', 'GBP', DAY],
		['RE-4', 'mersey-couriers', 'mersey-couriers-account', 'GB', '45.5', 'GBP', DAY],
		['TEST_INVALID', 'elbe-packaging', 'elbe-packaging-account', 'DE', '5', 'EUR', DAY],
	];
	const IN_CSV = ROWS[0].map((cell) => (cell === DATE_CELL ? DAY : cell));

	/** The clerk uploads a sheet. Returns the page after it. */
	async function upload(file: ReturnType<typeof xlsx>): Promise<Page> {
		const page = await openFormIn(await signInAs(browser, clerk), `${n8n.url}/form/pay-a-sheet`);
		await page.locator('input[type=file]').setInputFiles(file);
		await page.getByRole('button', { name: 'Check' }).click();
		return page;
	}
	async function decide(page: Page, decision: string) {
		await page.getByText(decision, { exact: true }).click();
		await page.getByRole('button', { name: 'Decide' }).click();
	}
	/** Somebody else approves. Returns the page with the result, and its file. */
	async function approve(address: string) {
		const page = await openFormIn(await signInAs(browser, approver), address);
		const download = page.waitForEvent('download');
		await decide(page, 'Approve');
		await page.getByRole('heading', { name: 'What became of each row' }).waitFor();
		return { page, file: readFileSync(await (await download).path()) };
	}
	const headings = async (page: Page) => await page.locator('h3').allInnerTexts();
	/** The cells of each line. */
	async function linesOf(page: Page) {
		const lines = await page.locator('tr:has(td)').all();
		return await Promise.all(
			lines.map(async (line) =>
				(await line.locator('td').allInnerTexts()).map((cell) => cell.trim()),
			),
		);
	}

	test('somebody else approves, what is right is paid, and page and file say what became of it; the sheet again, corrected, pays the rest', async () => {
		const uploader = await upload(xlsx('payments.xlsx', [HEADER, ...ROWS]));
		await uploader.getByText('To pay: EUR 1344.90, GBP 45.50').waitFor();
		await uploader.getByText('To correct, and not paid: 1').waitFor();
		expect(await linesOf(uploader)).toEqual([
			['2', 'RE-1', 'flanders-flour', 'flanders-flour-account', 'BE', 'SCT', 'EUR', '1250.00'],
			['3', 'RE-2', 'elbe-packaging', 'elbe-packaging-account', 'DE', 'SEPA', 'EUR', '89.90'],
			['5', 'RE-4', 'mersey-couriers', 'mersey-couriers-account', 'GB', 'FPS', 'GBP', '45.50'],
			['6', 'TEST_INVALID', 'elbe-packaging', 'elbe-packaging-account', 'DE', 'SCT', 'EUR', '5.00'],
			['4', 'RE-3', expect.stringContaining('1.250,00'), expect.stringContaining('1234.50')],
		]);
		await uploader.getByText('4. Sender: harbour-bakery, harbour-bakery-eur-account, DK').waitFor();
		const address = uploader.url();
		const { status, headers } = await axios.get<string>(address, {
			...{ proxy: false, maxRedirects: 0, validateStatus: null },
		});
		expect([status, headers.location]).toEqual([302, expect.stringContaining('/signin')]);

		await decide(uploader, 'Approve');
		await uploader.getByText('The approval of who uploaded it does not count.').waitFor();
		expect(await recorded()).toEqual([]);

		const { page, file } = await approve(address);
		expect(await headings(page)).toEqual(['Open: 2, EUR 5.00', 'New: 3, EUR 1339.90, GBP 45.50']);
		expect((await linesOf(page)).map((cells) => cells.slice(0, 3))).toEqual([
			['4', 'invalid', 'RE-3'],
			['6', 'rejected', 'TEST_INVALID'],
			['2', 'created', 'RE-1'],
			['3', 'created', 'RE-2'],
			['5', 'created', 'RE-4'],
		]);
		// While the execution runs, n8n doesn't answer.
		await n8n.ended(workflow, 1);
		await uploader.reload({ waitUntil: 'commit' });
		await uploader.getByRole('heading', { name: 'What became of each row' }).waitFor();
		expect(rowsOf(file).map(({ externalId, outcome }) => [externalId, outcome])).toEqual([
			['RE-1', 'created'],
			['RE-2', 'created'],
			['RE-3', 'invalid'],
			['RE-4', 'created'],
			['TEST_INVALID', 'rejected'],
		]);
		expect(await recorded()).toEqual([
			['RE-1', '1250.00', 'EUR'],
			['RE-2', '89.90', 'EUR'],
			['RE-4', '45.50', 'GBP'],
		]);
		const { items } = await service.sandbox.listTransactions();
		const days = items.map(({ transaction }) => transaction.externalCreatedAt);
		expect(new Set(days).size).toBe(1);

		const amount = ROWS[2].map((cell) => (cell === '1.250,00' ? '1250.10' : cell));
		const sheet = [ROWS[0], ROWS[1], amount, ['RE-5', ...ROWS[4].slice(1)], ROWS[2]];
		const again = await upload(xlsx('payments.xlsx', [HEADER, ...sheet]));
		await again.getByText('To pay:').waitFor();
		const { page: result } = await approve(again.url());
		expect(await headings(result)).toEqual([
			'Open: 1',
			'New: 2, GBP 1250.10, EUR 5.00',
			'There before, and not paid again: 2, EUR 1339.90',
		]);
		expect((await linesOf(result)).map(([, outcome]) => outcome)).toEqual([
			...['invalid', 'created', 'created', 'duplicate', 'duplicate'],
		]);
		expect(await recorded()).toHaveLength(5);
	});

	test('a sheet that is declined, and a CSV file whose letters are garbled, pay nothing', async () => {
		const page = await upload(csv('payments.csv', [HEADER, IN_CSV]));
		await page.getByText('To pay: EUR 1250.00').waitFor();
		expect(await page.getByText('To correct').count()).toBe(0);
		await decide(page, 'Decline');
		await page.getByRole('heading', { name: 'Nothing was paid' }).waitFor();

		await upload(csv('payments.csv', [HEADER, ['RÄ-1', ...IN_CSV.slice(1)]]));
		const results = await n8n.ended(workflow, 2);
		const { data } = await n8n.execution(results[0].id);
		expect(data.resultData.error?.message).toContain('CSV UTF-8');
		expect(await recorded()).toEqual([]);
	});
});

test('agent-that-asks-a-person: only a call that a person confirms is recorded, as it was shown', async () => {
	const call = (invoice: string) => ({
		tool: TOOL,
		args: { toolParameters: { ...PAYMENT, invoice }, hitlParameters: {} },
	});
	const model = await startModel([call('RE-7'), call('RE-8'), { say: 'RE-7 is recorded.' }]);
	const template = readExample('agent-that-asks-a-person');
	const { answer } = await askAgent(n8n, template, [service.credential, model.credential]);

	/** What the chat shows in an execution that waits for the person. */
	const question = async (about: string) =>
		await waitUntil(`n8n asks about ${about}`, async () => {
			const { status, data } = await n8n.execution(answer.executionId!);
			const [output] = Object.values(data.resultData.runData['Ask a Person']?.at(-1)?.data ?? {});
			const shown = output?.[0]?.[0]?.sendMessage as Question | undefined;
			return status === 'waiting' && shown?.text.includes(about) && shown;
		});
	for (const [invoice, decision] of [
		['RE-7', 'Record'],
		['RE-8', 'Decline'],
	]) {
		const { text, buttons } = await question(invoice);
		expect(text).toBe(
			`Record EUR 120.00 to lena-fischer (DE), account lena-fischer-account, for ${invoice} of 2026-11-20?`,
		);
		const { link } = buttons.find((button) => button.text === decision)!;
		await axios.get(link, { proxy: false, headers: { 'User-Agent': 'Mozilla/5.0 Firefox/140.0' } });
	}
	await waitUntil('the model knows', () => model.requests.length === 3);
	expect(model.heard()).toEqual([
		expect.stringContaining('"outcome":"created"'),
		expect.stringMatching(/rejected the tool call/),
	]);
	expect(await recorded()).toEqual([['RE-7', '120.00', 'EUR']]);
});
