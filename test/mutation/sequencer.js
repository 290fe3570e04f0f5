const Sequencer = require('@jest/test-sequencer').default;

/** Unit tests first: they kill most mutants, and are quick. */
module.exports = class extends Sequencer {
	sort(tests) {
		const isEngineTest = ({ path }) => Number(path.includes('integration'));
		return [...tests].sort(
			(a, b) => isEngineTest(a) - isEngineTest(b) || a.path.localeCompare(b.path),
		);
	}
};
