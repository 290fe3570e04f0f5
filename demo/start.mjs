// Starts main.ts. It prints the help before anything is installed, so it uses nothing but Node.
import { setUp } from '../host/setup.mjs';

const USAGE = `npm run demo -- [--once] [--sync] [--keep FOLDER] [--port NUMBER] [--sandbox-port NUMBER]
  --once           ends after the summary; exit code 0 only when n8n has seen everything that the sandbox counts
  --sync           a shop books movements in PostgreSQL, and n8n sends them to a service that only records
  --keep           keeps what n8n and the sandbox have in FOLDER, and goes on with it at the next start
  --port           of n8n, 5678 by default
  --sandbox-port   of the payments sandbox, 8480 by default`;

if (process.argv.includes('--help')) {
	console.log(USAGE);
} else {
	try {
		const database = process.argv.includes('--sync') ? ['database'] : [];
		await setUp(['host', 'sandbox', 'n8n', ...database]);
		await import('../host/typescript.mjs');
		await import('./main.ts');
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	}
}
