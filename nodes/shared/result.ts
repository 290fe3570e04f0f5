/** What is wrong, and how to correct it. */
export interface Problem {
	/** What happened, in one sentence without a period at the end. */
	message: string;
	/** How to go on, in whole sentences. */
	fix: string;
}

/** A value, or why there is none. Test `problem` to tell them apart. */
export type Result<T> = { value: T; problem?: undefined } | { value?: undefined; problem: Problem };

export const ok = <T>(value: T): Result<T> => ({ value });

export const failed = (message: string, fix: string): { problem: Problem } => ({
	problem: { message, fix },
});
