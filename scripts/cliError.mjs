/** Something that the person at the keyboard can mend: printed as one plain sentence, without a stack. */
export class CliError extends Error {}
