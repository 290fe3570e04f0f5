import results from '../../bench/results.json';
import { withFigures } from '../../bench/page';
import type { Results } from '../../bench/results';
import { read } from '../support/sourceTexts';

test('the figures in docs/performance.md are those in bench/results.json', () => {
	const page = read('docs/performance.md');
	expect(page).toBe(withFigures(page, results as Results));
	expect(page.match(/<!-- figures: /g)).toHaveLength(5);
});
