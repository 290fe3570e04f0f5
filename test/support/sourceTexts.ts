import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** The folder of the repository. */
export const root = join(__dirname, '..', '..');
export const read = (path: string) => readFileSync(join(root, path), 'utf8');

/**
 * Lists the files below a folder whose names have an ending, without what was installed or built.
 */
export function filesIn(folder: string, ending: string): string[] {
	return readdirSync(join(root, folder), { withFileTypes: true })
		.filter(({ name }) => !['node_modules', '.git', '.cache', 'dist'].includes(name))
		.flatMap((entry) => {
			const path = join(folder, entry.name);
			if (entry.isDirectory()) return filesIn(path, ending);
			return entry.name.endsWith(ending) ? [path] : [];
		});
}

/** The pages of the docs, the READMEs included. */
export const pages = [
	...readdirSync(root).filter((name) => name.endsWith('.md')),
	...['docs', 'deploy', 'sandbox', 'bench'].flatMap((folder) => filesIn(folder, '.md')),
];

/** The TypeScript files that ship. */
export const shippedSources = ['credentials', 'nodes'].flatMap((folder) => filesIn(folder, '.ts'));

/** A text in the code. Each value that a template inserts is `…`. */
export interface SourceText {
	text: string;
	/** Name of the property that holds it, such as `description`. */
	property?: string;
}

function textOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
}

/** The function that makes a problem of a message and a fix. */
const PROBLEM = 'failed';

/**
 * Lists the texts of a file: literals and templates with a blank, which leaves out names and keys.
 */
export function textsIn(path: string): SourceText[] {
	const source = ts.createSourceFile(path, read(path), ts.ScriptTarget.ES2022, true);
	const texts: SourceText[] = [];
	const visit = (node: ts.Node, property?: string) => {
		const text = textOf(node);
		if (text?.includes(' ')) texts.push({ text, property });
		const inner = ts.isPropertyAssignment(node) ? node.name.getText(source) : property;
		const hasFix = ts.isCallExpression(node) && node.expression.getText(source) === PROBLEM;
		ts.forEachChild(node, (child) =>
			visit(child, hasFix && child === node.arguments[1] ? 'fix' : inner),
		);
	};
	visit(source);
	return texts;
}
