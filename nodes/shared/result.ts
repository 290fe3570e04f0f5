/** What is wrong, and how to correct it. */
export interface Problem {
	/**
	 * What happened, without a period at the end: a sentence, or, if a log or another message
	 * introduces it, a clause.
	 */
	message: string;
	/** How to go on, in whole sentences. */
	fix: string;
}

/** What is wrong, where the caller knows the message and the fix. */
export interface Reason {
	/** A clause. */
	because: string;
}

/** A value, or why there is none. Test `problem` to tell them apart. */
export type Result<T, P extends Problem | Reason = Problem> =
	{ value: T; problem?: undefined } | { value?: undefined; problem: P };

export const ok = <T>(value: T): { value: T; problem?: undefined } => ({ value });

export const failed = (message: string, fix: string): { value?: undefined; problem: Problem } => ({
	problem: { message, fix },
});

/** Writes a problem where there is room for one text only. */
export const asSentences = ({ message, fix }: Problem): string => `${message}. ${fix}`;
