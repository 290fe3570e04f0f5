// What the mutation tests change, and the tests that are to notice it. MUTATION_TESTS selects one of them: `unit` by default.

/** Only tests in n8n's engine cover these. They take long, so that the others are measured without them. */
const TRIGGER = ['nodes/PaymentsTrigger/{PaymentsTrigger.node,activation,webhook}.ts'];
const NODE = [
	'nodes/Payments/Payments.node.ts',
	'nodes/Payments/transaction/{create,expressions,input}.ts',
	'nodes/shared/credentialTest.ts',
	'credentials/*.ts',
];

/** Data that a mutant says nothing about. */
const NO_CODE = [
	'!**/*.generated.ts',
	'!nodes/**/description.ts',
	'!nodes/Payments/transaction/{fieldLabels,options,outputParameters,toolDescription}.ts',
];

const excluded = (patterns) => patterns.map((pattern) => `!${pattern}`);

/** `minScore`: percent of the mutants that the tests must notice; missing while nobody has measured it. */
const testSets = {
	unit: {
		mutate: [
			'nodes/**/*.ts',
			'credentials/**/*.ts',
			...NO_CODE,
			...excluded([...TRIGGER, ...NODE]),
		],
		tests: ['unit/**/*.test.ts'],
		minScore: 95,
	},
	trigger: { mutate: TRIGGER, tests: ['integration/trigger*.test.ts'], minScore: undefined },
	node: {
		mutate: NODE,
		tests: [
			'unit/**/*.test.ts',
			'integration/{columns,create,credential,expressions,limits,mappings,payment-limits,simplify,token}.test.ts',
		],
		minScore: undefined,
	},
};

const name = process.env.MUTATION_TESTS ?? 'unit';
if (!Object.hasOwn(testSets, name))
	throw new Error(
		`MUTATION_TESTS must be ${Object.keys(testSets).join(', ')}, or left out, not ${name}.`,
	);

module.exports = { name, ...testSets[name] };
