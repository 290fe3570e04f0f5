import { asSentences, type Problem, type Result } from '../../nodes/shared/result';

/** Expects the value, or a problem whose text has the words. */
export function expectResult(read: Result<unknown>, expected: unknown): void {
	if (expected instanceof RegExp) expectProblem(read.problem, expected);
	else expect(read).toEqual({ value: expected });
}

export const expectProblem = (problem: Problem | undefined, words: RegExp): void =>
	expect(problem && asSentences(problem)).toMatch(words);
