import type { ServiceResponse } from '../nodes/shared/serviceResponse';
import { statedWait } from '../nodes/shared/statedWait';
import type { Check } from './Check';
import { answerOf } from './reading';

/* Which limits a service announces. None is tried out, because that would load the service. */

const LIMIT = /^(x-)?rate-?limit\b/;

/** Lists the headers of an answer that are about a limit. */
const announcedIn = ({ status, headers }: ServiceResponse): Array<[string, string]> =>
	Object.entries(headers)
		.filter(([name]) => LIMIT.test(name) || (name === 'retry-after' && [429, 503].includes(status)))
		.map(([name, value]) => [name, String(value)]);

/** A header as it is once nothing remains of a limit. */
function atLimit(name: string, value: unknown): unknown {
	if (name === 'ratelimit') return String(value).replace(/\b(r|remaining)=\d+/g, '$1=0');
	return name.endsWith('-remaining') ? '0' : value;
}

/** Says which headers the answers had, and what the nodes make of them. */
export function concludeLimits(check: Check): void {
	const answers = check.service.sent.flatMap((exchange) => answerOf(exchange) ?? []);
	const limited = answers.filter(({ status }) => status === 429);
	check.note(`Of ${answers.length} requests, ${limited.length} met the rate limit (429)`);
	const announces = (answer: ServiceResponse) => announcedIn(answer).length > 0;
	const answer = limited.findLast(announces) ?? answers.findLast(announces);
	if (!answer) return check.toKnow(`No answer announces a limit. ${SET_PACE}`);
	const said = announcedIn(answer).map(([name, value]) => `${name}: ${value}`);
	const headers = Object.fromEntries(
		Object.entries(answer.headers).map(([name, value]) => [name, atLimit(name, value)]),
	);
	const waitMs = statedWait({ status: 429, headers }, Date.now());
	const then = waitMs
		? `With it, the node waits ${Math.ceil(waitMs / 1000)} s after a 429, so there is nothing to set`
		: `The node reads no wait from it. ${SET_PACE}`;
	check.toKnow(`It announces ${said.join(', ')}. ${then}`);
}

const SET_PACE =
	"After a 429 that doesn't say how long to wait, the node tries again after 0.5 s, then less often, up to each 5 s. If several executions send at once, ask for the limit, and set 'Max Requests per Second'";
