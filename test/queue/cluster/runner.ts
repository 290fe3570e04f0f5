import axios from 'axios';
import { join } from 'node:path';
import { n8nInstallation } from '../../../host/n8n/installation';
import { startProcess, type ManagedProcess } from '../../../host/processes';

/**
 * Starts the task runner of a process as a process of its own, as the launcher in the image of the
 * compose file does: it signs in with the token, and gives the runner a grant and the broker's
 * address, and nothing of n8n's environment.
 *
 * @param broker address of the process's broker
 */
export async function startRunner(
	broker: string,
	token: string,
	logFile: string,
): Promise<ManagedProcess> {
	const { node, folder } = n8nInstallation();
	const { data } = await axios.post<{ data: { token: string } }>(
		`${broker}/runners/auth`,
		{ token },
		{ proxy: false },
	);
	const script = join(folder, 'node_modules/@n8n/task-runner/dist/start.js');
	const flags = ['--disallow-code-generation-from-strings', '--disable-proto=delete'];
	return startProcess('task runner', node, [...flags, script], {
		env: {
			PATH: process.env.PATH,
			N8N_RUNNERS_GRANT_TOKEN: data.data.token,
			N8N_RUNNERS_TASK_BROKER_URI: broker,
			N8N_RUNNERS_MAX_CONCURRENCY: '10',
		},
		cwd: folder,
		logFile,
	});
}
