#!/usr/bin/env node
// The one door for every command of this repository: `npm run TASK -- ARGUMENTS` or `node scripts/run.mjs TASK ARGUMENTS`.
// It uses nothing but Node, so it works on a fresh clone, where it installs first what the task needs.
import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { interruptedBy, runCommand } from './command.mjs';
import { ensureInstalled, root } from './install.mjs';
import { CliError } from './cliError.mjs';
import { needProgram } from './programs.mjs';
import { TASKS } from './tasks.mjs';

/**
 * In CI: the folder that takes the result of each step, and then every step runs, whatever came of those before. Tasks that
 * a step starts itself, such as a build before a test, are not to report.
 */
const { PAYMENTS_REPORT: report, ...environment } = process.env;

function checkNode() {
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major > 20 || (major === 20 && minor >= 6)) return;
	throw new CliError(
		`This needs Node 20.6 or newer; this is Node ${process.versions.node}. Install a newer one and start again.`,
	);
}

function taskNamed(name) {
	if (Object.hasOwn(TASKS, name ?? '')) return TASKS[name];
	const list = Object.entries(TASKS).map(([task, { about }]) => `  ${task.padEnd(16)}${about}`);
	throw new CliError(
		`${name ? `There is no task ${name}.` : 'Name a task.'} The tasks are:\n${list.join('\n')}`,
	);
}

function checkTool(command) {
	const tool = command.find((part) => part.startsWith('node_modules'));
	if (!tool || existsSync(join(root, tool))) return;
	throw new CliError(
		`The installation is damaged: ${tool} is missing. Delete the folder ${join(root, 'node_modules')} and start again.`,
	);
}

/** Runs one step; resolves with its exit code. */
async function runStep({ name, command, jest }, args, env) {
	checkTool(command);
	const results = report && jest ? join(report, `${name.replace(/\W+/g, '-')}.json`) : undefined;
	const reporting = results ? ['--json', '--outputFile', results] : [];
	if (report) mkdirSync(report, { recursive: true });
	const code = await runCommand([...command, ...args, ...reporting], { cwd: root, env });
	if (report)
		appendFileSync(join(report, 'steps.jsonl'), `${JSON.stringify({ name, code, results })}\n`);
	return code;
}

async function runTask({ needs = [], programs = [], steps }, args) {
	const paths = Object.fromEntries(
		programs.map((program) => [program.variable, needProgram(program)]),
	);
	await ensureInstalled(root, 'development tools', 1_100_000_000);
	for (const ensure of needs) await ensure();
	let worst = 0;
	for (const [index, step] of steps.entries()) {
		if (steps.length > 1) console.log(`\n[${index + 1}/${steps.length}] ${step.name}`);
		const code = await runStep(step, step === steps.at(-1) ? args : [], {
			...environment,
			...paths,
		});
		worst = Math.max(worst, code);
		if (interruptedBy() || (code !== 0 && !report)) break;
	}
	return worst;
}

try {
	checkNode();
	const [name, ...args] = process.argv.slice(2);
	process.exitCode = await runTask(taskNamed(name), args);
} catch (error) {
	if (!(error instanceof CliError)) throw error;
	console.error(error.message);
	process.exitCode = interruptedBy() ? 130 : 1;
}
