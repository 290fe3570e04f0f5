import { PluginKind, declareValuePlugin } from '@stryker-mutator/api/plugin';

/** Members of a node class or a credential class that describe it for the editor: data, which the tests of n8n's linter and the editor check. */
const DESCRIBING = new Set([
	'description',
	'displayName',
	'documentationUrl',
	'icon',
	'name',
	'properties',
]);

/** See nodes/PaymentsTrigger/events/outputs.ts. */
const RUN_AS_TEXT = 'outputsFor';

/** Leaves out the descriptions of nodes and credentials: a mutant of a label says nothing about the tests. */
export const strykerPlugins = [
	declareValuePlugin(PluginKind.Ignore, 'descriptions', {
		shouldIgnore(path) {
			if (path.isFunctionDeclaration() && path.node.id?.name === RUN_AS_TEXT)
				return "n8n's editor runs its source text, in which Stryker's own code can't run.";
			if (!path.isClassProperty() || path.node.key.type !== 'Identifier') return undefined;
			return DESCRIBING.has(path.node.key.name)
				? 'It describes the class for the editor.'
				: undefined;
		},
	}),
];
