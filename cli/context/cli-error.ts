// An error that a person understands: one sentence names the cause, a second one what to do.

/** How a script distinguishes errors; those of AWS and of Node keep their names. */
export type CliErrorCode = 'usage' | 'not-found' | 'not-running' | 'declined' | 'failure';

export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: CliErrorCode;
  readonly advice: string | undefined;
  /** The command line itself is wrong: a value, a name, a file that does not exist. */
  readonly isUsage: boolean;

  constructor(
    message: string,
    options: { code?: CliErrorCode; advice?: string; isUsage?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = options.code ?? 'failure';
    this.advice = options.advice;
    this.isUsage = options.isUsage ?? false;
  }
}

export const usageError = (message: string, advice?: string, code: CliErrorCode = 'usage'): CliError =>
  new CliError(message, { code, isUsage: true, ...(advice === undefined ? {} : { advice }) });

/** What the command line names does not exist. */
export const notFoundError = (message: string, advice?: string): CliError => usageError(message, advice, 'not-found');
