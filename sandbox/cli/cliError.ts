/** Something that the person at the command line can put right; its message is all that is printed. */
export class CliError extends Error {}
