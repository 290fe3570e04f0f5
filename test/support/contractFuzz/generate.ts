import { fc } from '../properties';
import { resolve, type Schema } from './operations';

/** Text that programs tend to stumble over. */
const AWKWARD_TEXTS = [
	'',
	' ',
	'0',
	'null',
	'true',
	'*',
	'constructor',
	'toString',
	'__proto__',
	'\u0000',
	'\ud800',
	'\u2028',
	'../..',
	'%00',
	'😀'.repeat(300),
	'x'.repeat(5000),
];

/** Values of every type, for a place that wants another one. */
const awkwardValue = fc.oneof(
	fc.constantFrom<unknown>(null, true, false, [], {}, [[]], 0, -1, 0.5, 1e21, -1e308, 2 ** 53),
	fc.constantFrom(...AWKWARD_TEXTS),
	fc.jsonValue({ maxDepth: 2 }),
);

const anyText = fc.oneof(
	{ weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
	{ weight: 1, arbitrary: fc.constantFrom(...AWKWARD_TEXTS) },
);

function textOf({ minLength = 0, maxLength = Infinity, pattern }: Schema): fc.Arbitrary<string> {
	const texts = pattern === undefined ? anyText : fc.stringMatching(new RegExp(pattern, 'u'));
	// JSON Schema counts characters, not UTF-16 units.
	return texts.filter((text) => {
		const { length } = [...text];
		return length >= minLength && length <= maxLength;
	});
}

function arrayOf({ items = {}, minItems, maxItems, uniqueItems }: Schema): fc.Arbitrary<unknown[]> {
	const options = { minLength: minItems, maxLength: maxItems ?? (minItems ?? 0) + 3 };
	const item = valueOf(items);
	return uniqueItems
		? fc.uniqueArray(item, { ...options, selector: (value) => JSON.stringify(value) })
		: fc.array(item, options);
}

/** Joins what the parts of an `allOf` say about an object. */
function joinParts(schema: Schema): Schema {
	const parts = (schema.allOf ?? []).map((part) => joinParts(resolve(part)));
	return {
		...schema,
		required: [schema, ...parts].flatMap(({ required }) => required ?? []),
		properties: Object.assign({}, ...[...parts, schema].map(({ properties }) => properties ?? {})),
	} as Schema;
}

function objectOf(schema: Schema): fc.Arbitrary<object> {
	const { properties = {}, required = [], ...rest } = joinParts(schema);
	const known = fc.record(
		Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, valueOf(one)])),
		{ requiredKeys: required },
	);
	const { additionalProperties = rest.unevaluatedProperties ?? true } = rest;
	if (additionalProperties === false) return known;
	const other = additionalProperties === true ? fc.jsonValue() : valueOf(additionalProperties);
	// The service's JSON parser rejects __proto__, whatever the contract says.
	const name = anyText.filter((text) => text !== '__proto__' && !(text in properties));
	return fc
		.tuple(known, fc.dictionary(name, other, { maxKeys: 2, noNullPrototype: true }))
		.map(([one, more]) => ({ ...more, ...one }));
}

function numberOf({ minimum = -1e9, maximum = 2 ** 40 }: Schema, isInteger: boolean) {
	return isInteger
		? fc.integer({ min: Math.max(minimum, -(2 ** 31)), max: Math.min(maximum, 2 ** 31 - 1) })
		: fc.double({ min: minimum, max: maximum, noNaN: true }).map((number) => number + 0);
}

function typedValueOf(type: string | undefined, schema: Schema): fc.Arbitrary<unknown> {
	switch (type) {
		case 'object':
			return objectOf(schema);
		case 'array':
			return arrayOf(schema);
		case 'string':
			return textOf(schema);
		case 'integer':
		case 'number':
			return numberOf(schema, type === 'integer');
		case 'boolean':
			return fc.boolean();
		case 'null':
			return fc.constant(null);
		default:
			return schema.properties || schema.allOf ? objectOf(schema) : fc.jsonValue();
	}
}

/** Generates values that a schema allows. */
export function valueOf(given: Schema): fc.Arbitrary<unknown> {
	const schema = resolve(given);
	if ('const' in schema) return fc.constant(schema.const);
	if (schema.enum) return fc.constantFrom(...schema.enum);
	const types = Array.isArray(schema.type) ? schema.type : [schema.type];
	return fc.oneof(...types.map((type) => typedValueOf(type, schema)));
}

/** One change of a value: at the place with this number, counted through the whole value. */
interface Change {
	kind: 'replace' | 'delete' | 'add';
	place: number;
	name: string;
	value: unknown;
}

type Container = Record<string, unknown>;
type Place = [container: Container, key: string];

const isContainer = (value: unknown): value is Container =>
	typeof value === 'object' && value !== null;

function placesIn(container: Container): Place[] {
	return Object.keys(container).flatMap((key): Place[] => {
		const inner = container[key];
		return [[container, key], ...(isContainer(inner) ? placesIn(inner) : [])];
	});
}

function applyChange(root: Container, { kind, place, name, ...change }: Change): void {
	// A copy: the next change must not change the generator's own constants.
	const value = structuredClone(change.value);
	const places = placesIn(root);
	const [container, key] = places[place % places.length];
	const inner = container[key];
	if (kind === 'add' && isContainer(inner) && !Array.isArray(inner)) inner[name] = value;
	else if (kind === 'delete' && container !== root && !Array.isArray(container))
		delete container[key];
	else container[key] = value;
}

const change: fc.Arbitrary<Change> = fc.record({
	kind: fc.constantFrom('replace', 'delete', 'add'),
	place: fc.nat(),
	name: anyText,
	value: awkwardValue,
});

/** Generates values that a schema allows, and values that differ from them in a few places. */
export function almostValueOf(schema: Schema): fc.Arbitrary<unknown> {
	const changes = fc.oneof(
		{ weight: 2, arbitrary: fc.constant([]) },
		{ weight: 3, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }) },
	);
	return fc.tuple(valueOf(schema), changes).map(([value, list]) => {
		const root = { body: JSON.parse(JSON.stringify(value)) as unknown };
		for (const one of list) applyChange(root, one);
		return root.body;
	});
}

/** Longer ones make a URL that Node itself rejects. */
const MAX_PARAMETER_LENGTH = 500;

/** Generates text for a parameter: what its schema allows, or anything. */
export const parameterTextOf = (schema: Schema): fc.Arbitrary<string> =>
	fc
		.oneof(
			valueOf(schema).map((value) => String(value)),
			anyText,
		)
		.filter((text) => text.length <= MAX_PARAMETER_LENGTH);
