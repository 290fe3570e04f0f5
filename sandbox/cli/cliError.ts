/** An error that the person at the command line can fix. Only its message is printed. */
export class CliError extends Error {}
