// What the process answers to the shell that called it.

/**
 * done: everything is fine. attention: it worked, and rows were rejected or something needs somebody. usage: the command
 * was not understood. failure: it could not be done. interrupted: Ctrl-C, as shells count it.
 */
export const exitCodes = { done: 0, attention: 1, usage: 2, failure: 3, interrupted: 130 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
