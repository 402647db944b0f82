// An error that a person understands: one sentence names the cause, a second one what to do.
import { type ExitCode, exitCodes } from './exit-code.ts';

/** How a script distinguishes errors; those of AWS and of Node keep their names. */
export type CliErrorCode = 'usage' | 'not-found' | 'not-running' | 'declined' | 'failure';

export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: CliErrorCode;
  readonly advice: string | undefined;
  readonly exitCode: ExitCode;

  constructor(
    message: string,
    options: { code?: CliErrorCode; advice?: string; exitCode?: ExitCode; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = options.code ?? 'failure';
    this.advice = options.advice;
    this.exitCode = options.exitCode ?? exitCodes.failure;
  }
}

/** The command line itself is wrong: a value, a name, a file that does not exist. */
export const usageError = (message: string, advice?: string, code: CliErrorCode = 'usage'): CliError =>
  new CliError(message, { code, exitCode: exitCodes.usage, ...(advice === undefined ? {} : { advice }) });

/** What the command line names does not exist. */
export const notFoundError = (message: string, advice?: string): CliError => usageError(message, advice, 'not-found');
