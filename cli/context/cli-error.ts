// An error that a person understands: one sentence names the cause, a second one what to do.
import { type ExitCode, exitCodes } from './exit-code.ts';

export class CliError extends Error {
  override readonly name = 'CliError';
  readonly advice: string | undefined;
  readonly exitCode: ExitCode;

  constructor(message: string, options: { advice?: string; exitCode?: ExitCode; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.advice = options.advice;
    this.exitCode = options.exitCode ?? exitCodes.failure;
  }
}

/** The command line itself is wrong: a value, a name, a file that does not exist. */
export const usageError = (message: string, advice?: string): CliError =>
  new CliError(message, { exitCode: exitCodes.usage, ...(advice === undefined ? {} : { advice }) });
