import { parse } from 'flatted';
import type { ExecutionStatus, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';

/** One line of n8n's list of executions. */
export interface ExecutionSummary {
	id: string;
	workflowId: string;
	mode: string;
	status: ExecutionStatus;
	startedAt: string;
	stoppedAt?: string;
}

/** An execution with everything that its nodes took in and gave out; n8n 1 has no data of it before it is over. */
export interface Execution extends ExecutionSummary {
	data: IRunExecutionData;
}

/** n8n hands an execution's data over as text in the form of the library flatted, which keeps shared references. */
export const parseExecution = (raw: ExecutionSummary & { data: string }): Execution => ({
	...raw,
	data: parse(raw.data) as IRunExecutionData,
});

/** Whether an execution has come to its end, good or bad. */
export const isOver = ({ status }: ExecutionSummary) =>
	!['new', 'running', 'waiting'].includes(status);

/** What a node gave out in its last run, on one of its outputs; empty when it did not run. */
export const outputOf = (
	execution: Execution,
	nodeName: string,
	output = 0,
): INodeExecutionData[] =>
	execution.data.resultData.runData[nodeName]?.at(-1)?.data?.main[output] ?? [];

/** How long a node took in its last run, by n8n's own clock, in ms. */
export function nodeTime(execution: Execution, nodeName: string): number {
	const run = execution.data.resultData.runData[nodeName]?.at(-1);
	if (!run) throw new Error(`The node "${nodeName}" did not run in execution ${execution.id}.`);
	return run.executionTime;
}
