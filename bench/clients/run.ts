import { join } from 'node:path';
import { n8nInstallation } from '../../host/n8n/installation';
import { TYPESCRIPT, startProcess } from '../../host/processes';
import { PARALLEL, type Client } from '../subjects';

export interface Job {
	/** Of the service, over the connection that is measured. */
	url: string;
	/** Of the sandbox itself. */
	sandbox: string;
	/** The certificate to trust. */
	ca: string;
	client: { clientId: string; clientSecret: string };
	items: number;
}

/** Under which the job is handed over; a secret does not belong on a command line. */
export const JOB = 'PAYMENTS_BENCH_JOB';
export type WholeJob = Job & { use: Client; parallel: number };

/**
 * Sends transactions by a plain program, on the Node that n8n runs on; resolves with ms from the
 * first request to the last answer.
 */
export async function runClient(use: Client, job: Job): Promise<number> {
	const whole: WholeJob = { ...job, use, parallel: PARALLEL };
	const program = startProcess(
		use,
		n8nInstallation().node,
		['--import', TYPESCRIPT, join(__dirname, 'main.ts')],
		{
			env: { ...process.env, [JOB]: JSON.stringify(whole) },
		},
	);
	const [, ms] = await program.waitFor(/took ([\d.]+) ms/, 15 * 60_000);
	await program.exited;
	return Number(ms);
}
