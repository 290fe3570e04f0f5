import { cleanBody, requestIdIn, supportHeaders } from '../../../nodes/shared/serviceResponse';

describe('what is kept of a body', () => {
	const TOKEN = '5f7e1c2a-9d0b-4c77-8e21';

	test('is 20,000 characters of it, however many members it has, and no more is read', () => {
		let reads = 0;
		const list = new Proxy(
			Array.from({ length: 300_000 }, () => ({ position: 'a', issue: 'event exists' })),
			{ get: (target, name) => (reads++, Reflect.get(target, name) as unknown) },
		);
		const kept = cleanBody({ message: 'x'.repeat(15_000), warnings: list }, TOKEN);
		expect(JSON.stringify(kept).length).toBeLessThan(25_000);
		expect(JSON.stringify(kept)).toContain('left out');
		expect(reads).toBeLessThan(5000);
		const object = Object.fromEntries(Array.from({ length: 83_000 }, (_, index) => [index, 1]));
		expect(JSON.stringify(cleanBody(object, TOKEN)).length).toBeLessThan(25_000);
	});

	test('isn’t what is nested too deep', () => {
		const body: unknown = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`);
		const kept = JSON.stringify(cleanBody(body, TOKEN));
		expect(kept).toContain('left out');
		// 50 objects.
		expect(kept.length).toBeLessThan(400);
	});

	test('is also what follows a long text, such as a stack trace', () => {
		const body = { status: 409, trace: 'at x\n'.repeat(5000), message: 'It exists' };
		const kept = cleanBody(body, TOKEN) as typeof body;
		expect(kept.message).toBe('It exists');
		expect(kept.trace).toMatch(/left out\)$/);
		expect(JSON.stringify(kept).length).toBeLessThan(25_000);
	});

	test('is without the access token, in values and in names', () => {
		const kept = JSON.stringify(cleanBody({ [`Bearer ${TOKEN}`]: [{ [TOKEN]: TOKEN }] }, TOKEN));
		expect(kept).not.toContain(TOKEN);
		expect(kept).toContain('•••');
	});

	test.each(['%2B%2F%3D', '%2b%2f%3d'])('is without the token as a part of a URL: %s', (end) => {
		const token = `${TOKEN}+/=`;
		const body = { message: `No: ?access_token=${TOKEN}${end}&x=1`, token };
		expect(cleanBody(body, token)).toEqual({ message: 'No: ?access_token=•••&x=1', token: '•••' });
	});

	test('keeps words that are the same as a short token', () =>
		expect(cleanBody('The token is invalid', 'token')).toBe('The token is invalid'));
});

/* As the headers are called at public services, and what stands in front of them. */
test.each([
	...['x-request-id', 'request-id', 'x-correlation-id', 'correlation-id', 'x-trace-id'],
	...['x-ms-request-id', 'x-amzn-requestid', 'x-amz-request-id', 'x-amzn-trace-id'],
	...['traceparent', 'cf-ray'],
])('%s has the ID of the request', (name) => {
	const headers = { date: 'now', [name]: ' 7f3a-1 ' };
	expect(requestIdIn(headers)).toBe('7f3a-1');
	expect(supportHeaders(headers)).toEqual(headers);
});

test.each<[Record<string, unknown>, string | undefined]>([
	[{}, undefined],
	[{ 'x-request-id': ' ' }, undefined],
	[{ 'set-cookie': 'id=1', date: 'now' }, undefined],
	// The service's own, before that of what stands in front of it.
	[{ 'cf-ray': 'front', traceparent: '00-trace', 'request-id': 'own' }, 'own'],
	[{ 'x-request-id': '', 'x-amzn-requestid': 'aws' }, 'aws'],
	[{ 'x-request-id': 'x'.repeat(1000) }, 'x'.repeat(200)],
])('the ID in %j is %s', (headers, id) => expect(requestIdIn(headers)).toBe(id));
