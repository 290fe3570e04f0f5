import {
	parseTemplate,
	renderJsonTemplate,
	renderTemplate,
	type ExpressionText,
} from '../../../../nodes/Payments/input/template';
import { fc, propertyRuns, leastOf } from '../../../support/properties';

describe('text with expressions in it is split', () => {
	test.each([
		['INV-{{ $json.no }}', ['INV-', ''], [' $json.no ']],
		['{{ a }}{{ b }} c', ['', '', ' c'], [' a ', ' b ']],
		['no expression', ['no expression'], []],
		['braces }} alone {{ a }}', ['braces }} alone ', ''], [' a ']],
		['\\{{ escaped }}', ['\\{{ escaped }}'], []],
		['\\\\{{ a }}', ['\\', ''], [' a ']],
		['{{ "\\}}" }}', ['', ''], [' "\\}}" ']],
		['{{ unclosed', ['', ''], [' unclosed']],
		['', [''], []],
	])('%s', (expression, texts, codes) => {
		const isClosed = expression !== '{{ unclosed';
		expect(parseTemplate(expression)).toEqual({ texts, codes, isClosed });
	});

	test('anything, without losing a character but braces and doubled backslashes', () => {
		const pieces = fc.array(
			fc.oneof(fc.constantFrom('{{', '}}', '{', '}', ' '), fc.string({ maxLength: 3 })),
		);
		fc.assert(
			fc.property(pieces, (list) => {
				const expression = list.join('').replaceAll('\\', '/');
				const { texts, codes, isClosed } = parseTemplate(expression);
				expect(texts).toHaveLength(codes.length + 1);
				const closing = (index: number) => (isClosed || index < codes.length - 1 ? '}}' : '');
				const again = texts.map((text, index) =>
					index < codes.length ? `${text}{{${codes[index]}${closing(index)}` : text,
				);
				expect(again.join('')).toBe(expression);
			}),
		);
	});
});

describe('every expression inside a text needs a value', () => {
	const render = (expression: string, ...texts: ExpressionText[]) =>
		renderTemplate(parseTemplate(expression), texts);

	test('then the text is put together', () => {
		expect(render('{{ a }}/{{ b }}!', '1', '0')).toEqual({ value: '1/0!' });
	});

	test.each([
		[null, 'has no value'],
		['', 'has no value'],
		['  ', 'has no value'],
		['undefined', 'gives "undefined"'],
		['null', 'gives "null"'],
		['NaN', 'gives "NaN"'],
		['[object Object]', 'gives "[object Object]"'],
		['1,[object Object]', 'gives "1,[object Object]"'],
		['Invalid DateTime', 'gives "Invalid DateTime"'],
	])('%p: %s', (text, words) => {
		expect(render('INV-{{ $json.year }}-{{ $json.no }}', '2026', text).problem?.message).toMatch(
			new RegExp(`\\{\\{ \\$json\\.no \\}\\}.*${words.replace(/[[\]]/g, '\\$&')}`),
		);
	});

	test.each(['false', '0', 'undefined behavior', 'nullable'])('%p is a value', (text) => {
		expect(render('INV-{{ a }}', text)).toEqual({ value: `INV-${text}` });
	});
});

describe('JSON with expressions in it', () => {
	const render = (expression: string, ...texts: ExpressionText[]) =>
		renderJsonTemplate(parseTemplate(expression), texts);

	test.each([
		// The whole string: an empty field, which the field itself allows or doesn't.
		['{ "externalStatus": "{{ a }}" }', ''],
		['{ "externalStatus": "{{ a }}" }', null],
		['{ "externalStatus":"{{ a }}"}', null],
		// Outside of strings, an empty text can be meant: a part of the JSON that is only there
		// sometimes.
		['{ "amount": "1" {{ a }} }', ''],
		['{ "amount": {{ a }} }', 'null'],
		['{ "sender": {{ a }} }', '{ "countryCode": "DE" }'],
		['{ "sender":\n{{ a }} }', '{ "countryCode": "DE" }'],
		['{ "amount": {{ a }}.50 }', '12'],
		['{ "amount": 12.{{ a }} }', '05'],
		// Behind a value, it is another part of the JSON.
		['{ "amount": 12 {{ a }} }', ', "reference": "x"'],
		['{ "reference": "No. {{ a }}" }', '7'],
		['{ "reference": "\\"{{ a }}\\"" }', '7'],
		['{ "reference": "{{ a }}" }', 'say \\"hi\\"'],
		['{ "reference": "{{ a }}" }', 'back\\\\slash'],
	])('%s with %p is put together', (expression, text) => {
		const value = expression.replace('{{ a }}', text ?? '').replaceAll('\\\\"', '\\"');
		expect(render(expression, text).problem).toBeUndefined();
		expect(render(expression, text).value).toHaveLength(value.length);
	});

	test.each([
		['{ "externalId": "INV-{{ a }}" }', null, 'has no value'],
		['{ "externalId": "INV-{{ a }}" }', '', 'has no value'],
		['{ "externalId": "{{ a }}-INV" }', '', 'has no value'],
		['{ "externalId": "\\"{{ a }}\\"" }', '', 'has no value'],
		['{ "externalId": "\\"{{ a }}" }', '', 'has no value'],
		['{ "externalId": "{{ a }}" }', 'undefined', 'gives "undefined"'],
		['{ "amount": {{ a }} }', null, 'has no value'],
		['{ "amount": {{ a }}"1" }', null, 'has no value'],
		['{ "sender": {{ a }} }', '[object Object]', 'gives "[object Object]"'],
		['{ "amount": {{ a }} }', '1, "currency": "USD"', 'more than one JSON value'],
		['{ "amount":{{ a }}}', '1}', 'more than one JSON value'],
		['{ "amount": 1{{ a }} }', ', "currency": "USD"', 'more than one JSON value'],
		['{ "reference": "{{ a }}", "amount": "1" }', 'x", "amount": "9', 'ends the JSON string'],
		['{ "reference": "{{ a }}" }', 'x\\', 'ends the JSON string'],
		['{ "reference": "{{ a }}" }', 'say "hi"', 'ends the JSON string'],
	])('%s with %p is rejected: %s', (expression, text, words) => {
		const message = render(expression, text).problem?.message;
		expect(message).toContain(words);
		expect(message).toContain('{{ a }}');
	});

	test('a value inside quotation marks never becomes another field', () => {
		const awkward = fc.string({ unit: fc.constantFrom('"', '\\', ',', ':', 'a', 'n', '}') });
		const numRuns = propertyRuns(5000);
		let parsed = 0;
		fc.assert(
			fc.property(awkward, (text) => {
				const { value } = render('{ "reference": "{{ a }}", "amount": "1" }', text);
				const transaction = value === undefined ? undefined : parseJson(value);
				if (!transaction) return;
				parsed++;
				expect(Object.keys(transaction)).toEqual(['reference', 'amount']);
				expect(transaction.amount).toBe('1');
			}),
			{ numRuns },
		);
		expect(parsed).toBeGreaterThanOrEqual(leastOf(1 / 50, numRuns));
	});

	test.each([
		['{ "amount": {{ a }}, "currency": "EUR" }', 1],
		['{ "amount": {{ a }}.{{ b }}, "currency": "EUR" }', 2],
		['{ "amount": {{ a }}{{ b }}, "currency": "EUR" }', 2],
	])('in %s, a value never becomes another field', (template, count) => {
		const awkward = fc
			.array(fc.constantFrom('1', ' ', ',', '"currency"', ':', '"x"', '{', '}', '[', ']', '.'))
			.map((parts) => parts.join(''));
		const hostile = fc.constantFrom('1, "x": 1', '1,"x":1', ', "x": 1', '5, "currency": "USD"');
		const texts = fc.array(fc.oneof(awkward, hostile, fc.constant('7')), {
			minLength: count,
			maxLength: count,
		});
		let parsed = 0;
		fc.assert(
			fc.property(texts, (list) => {
				const { value } = render(template, ...list);
				const transaction = value === undefined ? undefined : parseJson(value);
				if (!transaction) return;
				parsed++;
				expect(Object.keys(transaction)).toEqual(['amount', 'currency']);
				expect(transaction.currency).toBe('EUR');
			}),
			{ numRuns: propertyRuns(5000) },
		);
		expect(parsed).toBeGreaterThan(0);
	});

	function parseJson(text: string): Record<string, unknown> | undefined {
		try {
			return JSON.parse(text) as Record<string, unknown>;
		} catch {
			return undefined;
		}
	}
});

describe('text inside a JSON string', () => {
	const render = (text: string) => renderJsonTemplate(parseTemplate('{"a":"x{{ b }}"}'), [text]);

	test.each(['a"', '\\', 'a\\"b"', '"'])('%p is rejected, with a way to write it', (text) => {
		expect(render(text).problem?.fix).toContain('JSON.stringify');
	});

	test.each(['a', 'a\\"b', '\\\\', '\\n\\u0041'])('%p stays as it is', (text) => {
		expect(render(text)).toEqual({ value: `{"a":"x${text}"}` });
	});
});
