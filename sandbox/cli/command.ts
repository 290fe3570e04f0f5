import type { ParseArgsConfig } from 'node:util';
import type { SandboxClient } from '../client';

/** What a person enters after the name of a command. */
export interface Input {
	values: Record<string, string | boolean | string[] | undefined>;
	positionals: string[];
	sandbox: SandboxClient;
}

/** An option of a command. */
type CommandOption = NonNullable<ParseArgsConfig['options']>[string] & {
	/** Its name with what follows it, and what it does. */
	help: [string, string];
};

/** A command for a running sandbox. */
export interface Command {
	/** What follows the name. */
	usage: string;
	/** What the command does, as one sentence. */
	summary: string;
	/** What else a person wants to know. */
	details?: string;
	options?: Record<string, CommandOption>;
	/** What follows the name in an example. */
	example: string;
	run: (input: Input) => Promise<void>;
}

/** A number of things, such as `1 delivery` and `2 deliveries`. */
export const number = (count: number, one: string, many = `${one}s`) =>
	`${count} ${count === 1 ? one : many}`;
