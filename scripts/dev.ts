import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OWNER } from '../host/n8n/client';
import { packageFolder, registerPackage, startN8n } from '../host/n8n/startN8n';
import { startProcess, stopAll, type ManagedProcess } from '../host/processes';

const USAGE = `npm run dev -- [--port NUMBER] [--user-folder PATH]
  Runs n8n with the nodes of this folder. After each change, the nodes are built again and n8n reloads them.
  --port          of n8n, 5678 by default
  --user-folder   where n8n keeps workflows and credentials from one start to the next, .cache/dev by default`;

const ROOT = join(__dirname, '..');
const PACKAGES = join(ROOT, 'host', 'node_modules');
const BUILD_TIMEOUT_MS = 120_000;

function print(managed: ManagedProcess): void {
	managed.child.stdout!.pipe(process.stdout);
	managed.child.stderr!.pipe(process.stderr);
}

/**
 * Builds into n8n's folder of community nodes, now and after each change. Not into dist/ with a
 * link to it: n8n watches the folder where it finds the package, and forgets only modules that were
 * loaded from there.
 */
async function buildOnChange(userFolder: string): Promise<void> {
	const target = packageFolder(userFolder);
	const outDir = join(target, 'dist');
	mkdirSync(outDir, { recursive: true });
	copyFileSync(join(ROOT, 'package.json'), join(target, 'package.json'));
	registerPackage(userFolder, `file:${ROOT}`);

	const start = (name: string, program: string, ...args: string[]) => {
		const env = { ...process.env, NODE_PATH: PACKAGES, OUT_DIR: outDir };
		const command = [join(PACKAGES, program), ...args];
		const started = startProcess(name, process.execPath, command, { cwd: ROOT, env });
		print(started);
		return started;
	};
	start('gulp', 'gulp/bin/gulp.js', 'watch', '--silent');
	const project = ['--project', 'host/tsconfig.build.json', '--outDir', outDir];
	const watch = ['--watch', '--preserveWatchOutput'];
	const compiler = start('tsc', 'typescript/bin/tsc', ...project, ...watch);
	await compiler.waitFor(/Watching for file changes/, BUILD_TIMEOUT_MS);
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '5678' },
			'user-folder': { type: 'string', default: join(ROOT, '.cache', 'dev') },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return console.log(USAGE);
	const port = Number(values.port);
	const userFolder = resolve(values['user-folder']);
	const isNew = !existsSync(join(userFolder, '.n8n', 'database.sqlite'));
	await buildOnChange(userFolder);
	const env = { N8N_DEV_RELOAD: 'true', N8N_LOG_LEVEL: 'info' };
	const n8n = await startN8n({ port, userFolder, env });
	if (isNew) await n8n.client.setUpOwner();
	print(n8n.process);
	console.log(`
Editor:   ${n8n.url}
Sign in:  ${OWNER.email}, password ${OWNER.password}
Service:  npm run sandbox, in another terminal
Workflows and credentials are kept in ${userFolder}; delete that folder to start anew. Ctrl-C ends n8n.
`);
}

main().catch(async (error: Error) => {
	await stopAll();
	console.error(error.message);
	process.exitCode = 1;
});
