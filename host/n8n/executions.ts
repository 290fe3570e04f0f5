import { parse } from 'flatted';
import type { ExecutionStatus, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';

/** An entry of n8n's list of executions. */
export interface ExecutionSummary {
	id: string;
	status: ExecutionStatus;
	startedAt: string;
	stoppedAt?: string;
}

/** An execution with the data of its nodes. */
export interface Execution extends ExecutionSummary {
	data: IRunExecutionData;
}

/** Parses the data of an execution, which n8n sends as text of the library flatted. */
export const parseExecution = (raw: ExecutionSummary & { data: string }): Execution => ({
	...raw,
	data: parse(raw.data) as IRunExecutionData,
});

/** Reports whether an execution has ended. */
export const isOver = ({ status }: ExecutionSummary) =>
	!['new', 'running', 'waiting'].includes(status);

/** Returns the items of one output of a node in its last run; empty when it didn't run. */
export const outputOf = (
	execution: Execution,
	nodeName: string,
	output = 0,
): INodeExecutionData[] =>
	execution.data.resultData.runData[nodeName]?.at(-1)?.data?.main[output] ?? [];
