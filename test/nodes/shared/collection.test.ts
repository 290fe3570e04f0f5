import { checkCollection } from '../../../nodes/shared/collection';

const OPTIONS = { displayName: 'Options', member: 'option', names: ['dryRun', 'timeout'] };

test.each([
	['dryRun', /'Options' is "dryRun", and not a collection/],
	['={{ ({ dryRun: true }) }}', /'Options' is "=\{\{.*\}\}", and not a collection/],
	[[{ dryRun: true }], /'Options' is A list/],
	[null, /'Options' is null/],
	[{ dryrun: true }, /'Options' has no option "dryrun"/],
	[{ dryRun: true, skipDecimalsCheck: true }, /no option "skipDecimalsCheck"/],
	[{ toString: true }, /no option "toString"/],
])('%j is not the collection', (given, message) => {
	const { problem } = checkCollection(given, OPTIONS);
	expect(problem?.message).toMatch(message);
	expect(problem?.fix).toContain('paste the node.');
});

test('a member that is not known names those that are', () =>
	expect(checkCollection({ dryrun: true }, OPTIONS).problem?.fix).toContain('dryRun, timeout'));

test.each([{}, { dryRun: '={{ $json.a }}' }])('%j is, as typed', (given) =>
	expect(checkCollection(given, OPTIONS)).toEqual({ value: given }),
);
