import { setTimeout as wait } from 'node:timers/promises';
import axios, { type AxiosResponse } from 'axios';

/*
 * Forms of two pages: that of the job agent-with-approval, as the approver's browser uses it, and
 * the list of nothing-left-in-doubt.
 */

export const APPROVER = { username: 'approver', password: 'only-approvers-know' };

export type Decision = 'Approve' | 'Decline';

const CLIENT = axios.create({
	proxy: false,
	validateStatus: null,
	timeout: 30_000,
	responseType: 'text',
	transformResponse: (body: string) => body,
	headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
});

/** The first page with its one field, which somebody submits with or without signing in. */
export const submitFirstPage = async (
	formUrl: string,
	auth?: typeof APPROVER,
	value = 'Amir Khan',
): Promise<AxiosResponse<string>> =>
	await CLIENT.postForm<string>(formUrl, { 'field-0': value }, { auth });

/** Opens a link, as people and programs that look at links do. */
export const open = async (url: string, auth?: typeof APPROVER): Promise<AxiosResponse<string>> =>
	await CLIENT.get<string>(url, { auth });

/** Signs in and resolves with the address of the page that lists the payments, once it is there. */
export async function openList(
	formUrl: string,
	value?: string,
): Promise<{ pageUrl: string; page: string }> {
	const { status, data } = await submitFirstPage(formUrl, APPROVER, value);
	if (status !== 200) throw new Error(`The form answered ${status}: ${data}`);
	const pageUrl = (JSON.parse(data) as { formWaitingUrl: string }).formWaitingUrl;
	return { pageUrl, page: await pageOf(pageUrl) };
}

/**
 * Asks for the state of the execution first, as the page does: n8n doesn't answer for one that
 * runs.
 */
async function pageOf(pageUrl: string): Promise<string> {
	const state = new URL(pageUrl);
	state.pathname += '/n8n-execution-status';
	for (let attempt = 0; attempt < 300; attempt++) {
		const { data } = await open(state.href);
		if (['form-waiting', 'success'].includes(data.trim())) return (await open(pageUrl)).data;
		await wait(100);
	}
	throw new Error(`There is no page at ${pageUrl}.`);
}

/** The payments of the page: number, supplier, account, invoice, amount, status. */
export const paymentsOf = (page: string): string[][] =>
	[...page.matchAll(/<tr>((?:<td>[^<]*<\/td>)+)<\/tr>/g)].map(([, row]) =>
		[...row.matchAll(/<td>([^<]*)<\/td>/g)].map(([, cell]) => cell),
	);

/** Decides about one payment of the page, and resolves with the text of the page that follows. */
export async function decide(pageUrl: string, no: string, decision: Decision): Promise<string> {
	const answers = { 'field-1': `No. ${no}`, 'field-2': JSON.stringify([decision]) };
	const { status, data } = await CLIENT.postForm<string>(pageUrl, answers);
	if (status !== 200) throw new Error(`The page answered ${status}: ${data}`);
	return await pageOf(pageUrl);
}
