import type { Exchange, TokenExchange } from './ServiceUnderTest';

const MAX_LENGTH = 200;

const shorten = (text: string) =>
	text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;

const bodyOf = (body: unknown): string => {
	if (body === undefined || body === null || body === '') return 'without a body';
	return shorten(typeof body === 'string' ? body.replace(/\s+/g, ' ') : JSON.stringify(body));
};

/** What came back, in a few words. */
export function describeAnswer({ answer }: Exchange | TokenExchange): string {
	return answer ? `${answer.status} ${bodyOf(answer.body)}` : 'no response';
}

/** What the node says of it. */
export const describeOutcome = ({ says }: Exchange): string => `${says.outcome}: ${says.message}`;
