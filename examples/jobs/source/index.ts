import { agentWithApproval } from './agentWithApproval';
import { askForPayments } from './askForPayments';
import { check } from './check';
import { payees } from './payees';
import { paymentEvidence } from './paymentEvidence';
import { paymentLog } from './paymentLog';
import { paymentsFollow } from './paymentsFollow';
import { paymentsPay } from './paymentsPay';
import { payoutApprove } from './payoutApprove';
import { payoutUpload } from './payoutUpload';
import { nothingLeftInDoubt } from './nothingLeftInDoubt';
import { dailyReconciliation, statementReconciliation } from './reconciliation';
import { recurringPayments } from './recurringPayments';
import { savePayoutRun } from './savePayoutRun';
import { setup } from './setup';
import { whereIsMyPayment } from './whereIsMyPayment';
import { toWorkflow, type Job } from './workflow';

/** The jobs that are written in this folder. */
export const JOBS: Job[] = [
	setup,
	paymentLog,
	payees,
	check,
	savePayoutRun,
	payoutUpload,
	payoutApprove,
	paymentsPay,
	paymentsFollow,
	paymentEvidence,
	whereIsMyPayment,
	dailyReconciliation,
	statementReconciliation,
	nothingLeftInDoubt,
	askForPayments,
	agentWithApproval,
	recurringPayments,
];

/** What the file of a job has. */
export const toJson = (job: Job) => `${JSON.stringify(toWorkflow(job), null, '\t')}\n`;
