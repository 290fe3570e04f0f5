const { createHash } = require('node:crypto');
const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Runs test files in an order that TEST_ORDER_SEED decides. Jest's `--randomize` shuffles only the
 * tests in each file.
 */
module.exports = class ShuffledSequencer extends Sequencer {
	sort(tests) {
		const place = ({ path }) =>
			createHash('sha256').update(`${process.env.TEST_ORDER_SEED} ${path}`).digest('hex');
		return [...tests].sort((one, other) => (place(one) < place(other) ? -1 : 1));
	}
};
