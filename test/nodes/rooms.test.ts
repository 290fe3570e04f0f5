import { dirname, join } from 'node:path';
import ts from 'typescript';

import { offenders } from '../support/offenders';
import { read, shippedSources } from '../support/sourceTexts';

/* Which part of the shipped code may import which (ARCHITECTURE.md). Type-only imports count. */

const SHARED = 'nodes/shared/';
/** What the rooms of the Payments node share. */
const TERMS = ['Transaction.ts', 'results.ts', 'Input.ts'].map((name) => `nodes/Payments/${name}`);
const ROOMS = ['editor', 'input', 'validation', 'sending', 'output'];
/** The parts of `sending/` that the rest of it uses. */
const SENDING_PARTS = ['congestionWindow.ts', 'pacer.ts', 'response/'];
const TRIGGER_ROOMS = ['signature'];

/** Paths by what they may import. The first that a file begins with applies to it. */
const ALLOWED: Array<[path: string, imports: string[]]> = [
	[SHARED, [SHARED]],
	['credentials/', [SHARED]],
	...TERMS.map((path): [string, string[]] => [path, [...TERMS, SHARED]]),
	...SENDING_PARTS.map((part): [string, string[]] => {
		const path = `nodes/Payments/sending/${part}`;
		return [path, [path, ...TERMS, SHARED]];
	}),
	...ROOMS.map((room): [string, string[]] => {
		const path = `nodes/Payments/${room}/`;
		return [path, [path, ...TERMS, SHARED]];
	}),
	[
		'nodes/Payments/options/',
		[
			'nodes/Payments/options/',
			'nodes/Payments/editor/options.ts',
			'nodes/Payments/input/expressions.ts',
			SHARED,
		],
	],
	...TRIGGER_ROOMS.map((room): [string, string[]] => {
		const path = `nodes/PaymentsTrigger/${room}/`;
		return [path, [path, SHARED]];
	}),
	['nodes/Payments/', ['nodes/Payments/', 'credentials/', SHARED]],
	['nodes/PaymentsTrigger/', ['nodes/PaymentsTrigger/', SHARED]],
];

const importsOf = new Map(
	shippedSources.map((path) => [
		path,
		ts
			.preProcessFile(read(path))
			.importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
			.map(({ fileName }) => join(dirname(path), `${fileName}.ts`)),
	]),
);

test('every import is found', () => {
	const imported = [...importsOf.values()].flat();
	expect(imported.length).toBeGreaterThan(100);
	expect(imported.filter((path) => !importsOf.has(path))).toEqual([]);
});

test('every rule is about files that exist', () => {
	const isVoid = ([start]: (typeof ALLOWED)[0]) =>
		!shippedSources.some((path) => path.startsWith(start));
	expect(ALLOWED.filter(isVoid)).toEqual([]);
});

test('nothing is imported against the order', () => {
	const against = (path: string) => {
		const [, allowed] = ALLOWED.find(([start]) => path.startsWith(start))!;
		return importsOf
			.get(path)!
			.filter((imported) => !allowed.some((start) => imported.startsWith(start)));
	};
	expect(offenders(shippedSources, against)).toEqual({});
});

test('there is no circle', () => {
	const done = new Set<string>();
	const visit = (path: string, way: string[]): void => {
		expect(way).not.toContain(path);
		if (done.has(path)) return;
		for (const imported of importsOf.get(path)!) visit(imported, [...way, path]);
		done.add(path);
	};
	for (const path of shippedSources) visit(path, []);
});
