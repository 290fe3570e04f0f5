// Checks types, lint rules, formatting, and spelling side by side, because each uses one processor.
// Prints what each has to say when it ends.
import { spawn } from 'node:child_process';

const CHECKS = [
	'tsc --noEmit --incremental --tsBuildInfoFile .cache/tsc.json',
	'eslint --cache --cache-location .cache/eslint.json --cache-strategy content .',
	'prettier --check --cache --cache-location .cache/prettier.json .',
	'cspell lint --no-progress --quiet --cache --cache-location .cache/cspell.json',
];

/** @param {string} command */
const succeeds = async (command) =>
	await new Promise((resolve) => {
		const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
		let printed = '';
		for (const stream of [child.stdout, child.stderr])
			stream.on('data', (chunk) => (printed += chunk.toString()));
		child.on('close', (code) => {
			process.stdout.write(printed);
			resolve(code === 0);
		});
	});

const results = await Promise.all(CHECKS.map(succeeds));
process.exitCode = results.every(Boolean) ? 0 : 1;
