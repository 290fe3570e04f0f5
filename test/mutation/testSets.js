// What the mutation tests change, and the tests that are to notice it. MUTATION_TESTS selects one of them: `unit` by default.

/** Only tests in n8n's engine cover these. They take long, so that the others are measured without them. */
const WITH_ENGINE = [
	'nodes/Payments/Payments.node.ts',
	'nodes/Payments/{createTransactions,input/input}.ts',
	'nodes/PaymentsTrigger/{PaymentsTrigger.node,activation,webhook}.ts',
];

/** Data that a mutant says nothing about. */
const NO_CODE = [
	'!**/*.generated.ts',
	'!nodes/**/description.ts',
	'!nodes/Payments/editor/{labels,options,outputParameters,toolDescription}.ts',
];

const testSets = {
	unit: {
		mutate: [
			'nodes/**/*.ts',
			'credentials/**/*.ts',
			...NO_CODE,
			...WITH_ENGINE.map((pattern) => `!${pattern}`),
		],
		tests: ['unit/**/*.test.ts'],
	},
	engine: {
		mutate: WITH_ENGINE,
		tests: ['integration/{columns,create,input,payment-limits,simplify,trigger*}.test.ts'],
	},
};

const name = process.env.MUTATION_TESTS ?? 'unit';
if (!Object.hasOwn(testSets, name))
	throw new Error(
		`MUTATION_TESTS must be ${Object.keys(testSets).join(', ')}, or left out, not ${name}.`,
	);

module.exports = { name, ...testSets[name] };
