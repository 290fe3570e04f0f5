import type { IHttpRequestOptions, INodePropertyOptions } from 'n8n-workflow';

import { PaymentsApi } from '../../credentials/PaymentsApi.credentials';
import { FIELDS } from '../../nodes/Payments/Transaction';
import { recommendedEventTypes } from '../../nodes/PaymentsTrigger/description';
import { transactionsUrl } from '../../nodes/shared/serviceUrl';
import { renewToken, requestToken, usableToken } from '../../nodes/shared/token/tokenRequest';
import { recommendedEvents } from '../../sandbox/deliveries/eventCatalog';
import { document } from '../../sandbox/contract';
import { TOKEN_LIFETIME_S } from '../../sandbox/state/tokens';
import * as stated from '../fixtures/specification';
import { sampleInput, validateItem } from '../support/builders/transactions';
import { read } from '../support/sourceTexts';

/*
 * What the specification states (test/fixtures/specification.ts) is what docs/interface.md, the
 * contract of the sandbox, and the nodes say and do.
 */

const page = read('docs/interface.md');

/** The text of a section, without those below it. */
function section(number: string): string {
	const level = number.includes('.') ? '###' : '##';
	const [, from] = page.split(new RegExp(`^${level} ${number.replace('.', '\\.')}\\.? .*$`, 'm'));
	return from.split(/^##+ /m)[0];
}

/** The rows of the only table of a section, without its heading. */
const tableOf = (number: string) =>
	section(number)
		.split('\n')
		.filter((line) => line.startsWith('| '))
		.slice(2)
		.map((line) => line.slice(2, -2).split(' | '));

const UNITS = { ms: /\bin ms\b/, seconds: /\bin seconds\b/ };

describe('docs/interface.md', () => {
	test.each([
		['2.1', stated.transaction],
		['2.2', stated.party],
		['2.4', stated.tokenResponse],
		['4.1', stated.tokenRequest],
	])('%s has the fields that are stated, with type, unit, and standard', (number, fields) => {
		const rows = tableOf(number);
		expect(rows.map(([name, type]) => [name, type])).toEqual(
			Object.entries(fields).map(([name, { type }]) => [`\`${name}\``, type]),
		);
		for (const [index, { unit, standard = '', isSometimesAbsent }] of Object.values(
			fields,
		).entries()) {
			const meaning = rows[index].slice(2).join(' ');
			for (const [name, inWords] of Object.entries(UNITS))
				expect([meaning, inWords.test(meaning)]).toEqual([meaning, name === unit]);
			expect(meaning).toContain(standard);
			expect(meaning.includes('one of the two responses')).toBe(isSometimesAbsent === true);
		}
	});

	test('4.1 requires each field of the form, and has the scopes', () => {
		const rows = tableOf('4.1');
		expect(rows.every(([, , required]) => required === 'yes')).toBe(true);
		const allowed = Object.fromEntries(rows.map(([name, , , values]) => [name, values]));
		expect(allowed['`grant_type`']).toBe(`\`${stated.GRANT_TYPE}\``);
		for (const scope of stated.SCOPES) expect(allowed['`scope`']).toContain(`\`${scope}\``);
		expect(section('5')).toContain(`scope ${stated.PAYMENTS_SCOPE} is required`);
	});

	test.each([
		['4.1', stated.operations.createToken],
		['4.2', stated.operations.createTransaction],
	])('%s has the request', (number, { request, headers }) => {
		const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
		expect(section(number)).toContain(`\`\`\`http\n${[request, ...lines].join('\n')}\n\`\`\``);
	});

	test('6 has the events that are recommended', () =>
		expect(tableOf('6').map(([type]) => type)).toEqual(
			stated.recommendedEvents.map((type) => `\`${type}\``),
		));

	test.each(Object.entries(stated.words))('%s says it in the words that count', (number, words) => {
		for (const word of words) expect(section(number).replaceAll('**', '')).toContain(word);
	});

	test.each([
		'1',
		'2',
		'2.1',
		'2.2',
		'2.3',
		'2.4',
		'3',
		'4.1',
		'4.2',
		'4.3',
		'5',
		'6',
		'7',
		'8',
		'9',
	])("%s says what isn't shown, and nothing of these nodes", (number) => {
		const text = section(number);
		const sentences = text.split(/(?<=\.)\s/).filter((one) => one.includes(': not shown.'));
		const listed = sentences.join(' ');
		expect(sentences.length > 0).toBe(number in stated.notShown);
		for (const what of stated.notShown[number] ?? []) expect(listed).toContain(what);
		expect(text).not.toMatch(/\bnodes?\b|n8n|credential\b/i);
	});
});

describe('the contract of the sandbox', () => {
	interface Schema {
		$ref?: string;
		type?: string | string[];
		const?: unknown;
		enum?: unknown[];
		required?: string[];
		properties?: Record<string, Schema>;
	}
	const { schemas } = document.components as { schemas: Record<string, Schema> };
	const resolve = (schema: Schema): Schema =>
		schema.$ref ? schemas[schema.$ref.split('/').pop()!] : schema;
	const typeOf = (schema: Schema): string => {
		const { type, const: constant } = resolve(schema);
		if (type === undefined) return Number.isInteger(constant) ? 'integer' : typeof constant;
		return [type].flat().join(' or ');
	};

	test.each([
		['Transaction', stated.transaction],
		['Party', stated.party],
		['Token', stated.tokenResponse],
		['TokenRequest', stated.tokenRequest],
	])('%s has the fields that are stated', (name, fields) => {
		const { properties, required } = schemas[name];
		expect(Object.entries(properties!).map(([field, schema]) => [field, typeOf(schema)])).toEqual(
			Object.entries(fields).map(([field, { type }]) => [field, type]),
		);
		const mayBeAbsent = Object.entries(fields)
			.filter(([, { type, isSometimesAbsent }]) => isSometimesAbsent || type.endsWith('null'))
			.map(([field]) => field);
		expect(Object.keys(fields).filter((field) => !required!.includes(field))).toEqual(mayBeAbsent);
	});

	test('the token is as it is shown', () => {
		const { token_type, expires_in } = schemas.Token.properties!;
		expect(token_type.const).toBe(stated.TOKEN_TYPE);
		expect([expires_in.const, TOKEN_LIFETIME_S]).toEqual([stated.EXPIRES_IN, stated.EXPIRES_IN]);
		expect(schemas.TokenRequest.properties!.grant_type.enum).toEqual([stated.GRANT_TYPE]);
	});

	test('the operations of the service are those that are stated', () => {
		const paths = document.paths as Record<string, Record<string, { tags?: string[] }>>;
		const offered = Object.entries(paths).flatMap(([path, methods]) =>
			Object.entries(methods)
				.filter(([, { tags }]) => tags?.includes('service'))
				.map(([method]) => `${method.toUpperCase()} ${path}`),
		);
		const requests = Object.values(stated.operations).map(({ request }) => request);
		expect(offered).toEqual(requests.map((request) => request.replace(/\{\w+\}/, '')));
	});

	test('the recommended events are those that are stated', () =>
		expect([...recommendedEvents].sort()).toEqual([...stated.recommendedEvents].sort()));
});

describe('the nodes', () => {
	const credential = {
		authUrl: 'https://auth.example.com',
		baseUrl: 'https://api.example.com',
		clientId: 'an-id',
		clientSecret: 'a-secret',
		scope: new PaymentsApi().properties.find(({ name }) => name === 'scope')!.default as string,
	};
	const tokenEndpoint = (token: object) => {
		const requests: IHttpRequestOptions[] = [];
		const send = async (request: IHttpRequestOptions) => {
			requests.push(request);
			return { statusCode: 200, headers: {}, body: JSON.stringify(token) };
		};
		return { requests, send };
	};

	test('have a field for each that is stated, and no other', () => {
		const parties = ['sender', 'recipient'];
		const fields = Object.keys(stated.transaction).flatMap((name) =>
			parties.includes(name) ? Object.keys(stated.party).map((one) => `${name}.${one}`) : [name],
		);
		expect([...FIELDS].sort()).toEqual(fields.sort());
	});

	test('send each field with its type and unit', () => {
		const { externalStatus, ...others } = stated.transaction;
		const sent = validateItem(
			sampleInput({ amount: 2501, externalCreatedAt: '2025-05-28T11:38:44.513Z', receivedAt: '' }),
			{ timeZone: 'UTC' },
		).transaction!;
		const typeOf = (value: unknown) => (Number.isInteger(value) ? 'integer' : typeof value);
		for (const [field, { type }] of Object.entries(others))
			expect([field, typeOf(sent[field as keyof typeof sent])]).toEqual([field, type]);
		expect(externalStatus.type).toBe('string or null');
		expect(sent.externalStatus).toBeNull();
		// Both are in ms.
		expect([sent.externalCreatedAt, sent.receivedAt]).toEqual([1748432324513, 1748432324513]);
		expect(Object.keys(sent).sort()).toEqual(Object.keys(stated.transaction).sort());
	});

	test('request the token as it is stated', async () => {
		const { requests, send } = tokenEndpoint({
			access_token: 'T',
			token_type: stated.TOKEN_TYPE,
			expires_in: stated.EXPIRES_IN,
		});
		const { value } = await requestToken(credential, send);
		const [{ method, url, headers, body }] = requests;
		const { request, headers: statedHeaders } = stated.operations.createToken;
		expect(`${method} ${url}`).toBe(request.replace('{auth_url}', credential.authUrl));
		expect(headers).toMatchObject(statedHeaders);
		const form = Object.fromEntries(new URLSearchParams(body as string));
		expect(Object.keys(form)).toEqual(Object.keys(stated.tokenRequest));
		expect(form).toMatchObject({ grant_type: stated.GRANT_TYPE, scope: stated.PAYMENTS_SCOPE });
		expect(value).toMatchObject({ bearerToken: 'T', expiresInSeconds: stated.EXPIRES_IN });
	});

	test('offer the scopes', () => {
		const { options } = new PaymentsApi().properties.find(({ name }) => name === 'scope')!;
		const offered = (options as INodePropertyOptions[]).map(({ value }) => value);
		expect(offered.sort()).toEqual([...stated.SCOPES, stated.SAMPLE_SCOPES.join(' ')].sort());
	});

	test('take a token without a lifetime for one of the lifetime that is stated', async () => {
		jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
		const accessToken = (await renewToken(credential, tokenEndpoint({ access_token: 'T' }).send))!;
		const client = { ...credential, accessToken };
		// It's renewed a minute before it ends.
		jest.advanceTimersByTime((stated.TOKEN_LIFETIME_MINUTES - 1) * 60_000 - 1000);
		expect(usableToken(client)).toBe('T');
		jest.advanceTimersByTime(2000);
		expect(usableToken(client)).toBeUndefined();
		jest.useRealTimers();
	});

	test('create transactions where it is stated', () => {
		const { request } = stated.operations.createTransaction;
		const url = transactionsUrl(credential).value;
		expect(`POST ${url}`).toBe(request.replace('{base_url}', credential.baseUrl));
	});

	test('select the events that are recommended', () =>
		expect([...recommendedEventTypes].sort()).toEqual([...stated.recommendedEvents].sort()));
});
