// The exit codes of the process.

/**
 * done: everything is fine. actionRequired: the command worked, and rows were rejected or an action is required.
 * usage: the command line is wrong. failure: the command failed. interrupted: Ctrl-C, the number that shells use.
 */
export const exitCodes = { done: 0, actionRequired: 1, usage: 2, failure: 3, interrupted: 130 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
