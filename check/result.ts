import type { Check, Seen } from './Check';
import type { Exchange } from './ServiceUnderTest';
import { assignedValues, recordedAnswer, type RecordedAnswer } from './template';
import type { Finding } from './findings';
import { timesOf, verdictOf, type LookedUp, type Verdict } from './verdict';
import type { SignatureFound } from './listen/tryDelivery';

/** What the sandbox needs to answer like the service (schema ServiceBehavior of its contract). */
export interface ServiceBehavior extends Omit<Seen, 'answers'> {
	answers: Partial<Record<keyof Seen['answers'], RecordedAnswer>>;
	/** Usual time of an answer, in ms. */
	latencyMs?: number;
	signature?: SignatureFound['signature'];
}

/** The content of service.json. */
export interface CheckResult {
	/** Version of this format. */
	check: 1;
	checkedAt: string;
	/** The host of the Base URL, or of the delivery. */
	service: string;
	verdict: Verdict;
	findings: Array<{ title: string; kind: Finding['kind']; text: string }>;
	behavior: ServiceBehavior;
}

const isCreated = (exchange?: Exchange): exchange is Exchange =>
	exchange?.attempt.kind === 'created';

function median(numbers: number[]): number | undefined {
	const sorted = [...numbers].sort((one, other) => one - other);
	return sorted.at(Math.floor(sorted.length / 2));
}

/** Puts together what the sandbox can play. */
export function behaviorOf({ seen, service }: Check): ServiceBehavior {
	const created = service.sent.map(({ exchange }) => exchange).filter(isCreated);
	const { answers, ...others } = seen;
	const recorded = Object.entries(answers).map(([name, one]) => {
		const eventId = one.exchange?.transaction.eventId;
		const first = created.find(({ transaction }) => transaction.eventId === eventId);
		const other = created.find(({ transaction }) => transaction.eventId !== eventId);
		const assigned = first && other ? assignedValues(first, other) : undefined;
		return [name, recordedAnswer(one, assigned)];
	});
	return {
		...others,
		answers: Object.fromEntries(recorded) as ServiceBehavior['answers'],
		latencyMs: median(created.map(({ ms }) => ms)),
	};
}

/** A finding, and what somebody looked up for it. */
function withAnswer(
	finding: Finding,
	lookedUp?: LookedUp,
): { kind: Finding['kind']; text: string } {
	const { kind, text } = finding;
	const times = kind === 'lookUp' ? lookedUp?.get(finding.question.eventId) : undefined;
	if (times === undefined) return { kind, text };
	return {
		kind: times === 1 ? 'fits' : 'doesntFit',
		text: `${text}. Looked up, the service has it ${timesOf(times)}`,
	};
}

/** Puts together what was found. */
export function resultOf({
	check,
	delivery,
	lookedUp,
}: {
	check?: Check;
	delivery?: SignatureFound;
	lookedUp?: LookedUp;
}): CheckResult {
	const found = [
		...(check?.findings ?? []),
		...(delivery?.findings ?? []).map((finding) => ({ title: 'A delivery', finding })),
	];
	return {
		check: 1,
		checkedAt: new Date().toISOString(),
		service: check ? new URL(check.setup.credential.baseUrl).host : 'this delivery',
		verdict: verdictOf(
			found.map(({ finding }) => finding),
			lookedUp,
		),
		findings: found.map(({ title, finding }) => ({ title, ...withAnswer(finding, lookedUp) })),
		behavior: {
			...(check ? behaviorOf(check) : { answers: {} }),
			...(delivery?.signature && { signature: delivery.signature }),
		},
	};
}
