import { CliError, main } from '../../../sandbox/cli';
import { SandboxClient } from '../../../sandbox/client';

/** Keeps what `call` prints, and a message that it ends with. */
async function printedBy<T>(
	call: () => Promise<T>,
): Promise<{ code: number; output: string; value?: T }> {
	const lines: unknown[] = [];
	const spies = [jest.spyOn(console, 'log'), jest.spyOn(console, 'error')];
	for (const spy of spies) spy.mockImplementation((line: unknown) => void lines.push(line));
	try {
		const value = await call();
		return { code: 0, output: lines.join('\n').trim(), value };
	} catch (error) {
		if (!(error instanceof CliError)) throw error;
		return { code: 1, output: [...lines, error.message].join('\n').trim() };
	} finally {
		for (const spy of spies) spy.mockRestore();
	}
}

/** Runs the command of the sandbox in this process to its end: exit code, and what it printed. */
export async function runSandboxCommand(...args: string[]): Promise<[number, string]> {
	const { code, output } = await printedBy(async () => await main(args));
	return [code, output];
}

/** Starts a sandbox in this process, as its command does, on a free port. */
export async function startSandboxHere(...args: string[]) {
	const { output, value } = await printedBy(async () => await main(['--port', '0', ...args]));
	if (!value) throw new Error(output);
	const { url, stop } = value;
	return { url, stop, output, client: new SandboxClient(url) };
}
