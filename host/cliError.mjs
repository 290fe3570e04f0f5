/** Something that the user can fix: printed as one plain sentence, without a stack trace. */
export class CliError extends Error {}
